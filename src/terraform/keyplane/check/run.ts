import { resolve } from 'node:path';
import type { CheckEvent, Selected } from '../../../checks/index.ts';
import { type CheckResult, type ObservedKey, quotaFromUsd } from '../../../domain/index.ts';
import type { Clock } from '../../../gateway/index.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { credentialOf, findKeyById } from '../find-key.ts';
import { type CheckConfig, throwErrors } from './config.ts';
import { verdictLine } from './text.ts';

/** The environment of a check, apart from the gateway. */
export interface CheckEnvironment {
  readonly clock: Clock;
  /** Returns whether images can be decoded. Default: whether the package for it is installed. */
  readonly canDecodeImages?: () => Promise<boolean>;
}

/** Loads its modules lazily, because only checks need them. */
export async function systemEnvironment(): Promise<CheckEnvironment> {
  const { systemClock } = await import('../../../http/index.ts');
  return { clock: systemClock };
}

export interface CheckRunContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly environment: CheckEnvironment;
  readonly onEvent?: (event: CheckEvent) => void;
}

/** Selects the check by name, whatever it costs, and rejects costly ones that are not confirmed. */
async function selectCheck({ spec, costly }: CheckConfig, { name }: ObservedKey): Promise<Selected> {
  const { selectChecks } = await import('../../../checks/index.ts');
  const selections = new Map([[name, [spec.name]]]);
  const [selected] = selectChecks({ selections, definitions: [spec], asked: [], costly: true });
  if (selected === undefined) throw new Error(`${spec.name} selects nothing`);
  if (selected.schedule !== 'costly' || costly) return selected;
  throw new DiagnosticError({
    summary: `The check ${spec.module} is costly`,
    detail: 'It costs money at every run. To allow that, set `costly = true`.',
    path: ['costly'],
  });
}

/** Removes other keys with the same name, because a run of checks identifies keys by name. */
const withoutNamesakes = (keys: readonly ObservedKey[], key: ObservedKey): readonly ObservedKey[] =>
  keys.filter(({ id, name }) => id === key.id || name !== key.name);

/**
 * Runs one check of one key.
 *
 * @throws DiagnosticError at the invalid argument, before anything is sent; Fault when the run ends early
 */
export async function runCheck(
  config: CheckConfig,
  { client, signal, environment, onEvent }: CheckRunContext,
): Promise<CheckResult> {
  const { openLedger, runChecks, validateCheck } = await import('../../../checks/index.ts');
  const { gateway, store } = client;
  const key = await findKeyById(config.keyId, client);
  throwErrors(await validateCheck(config.spec, key.models ?? []));
  const selected = await selectCheck(config, key);
  const quotaPerUnit = await store.quotaPerUnit();
  const { results, fatal } = await runChecks({
    gateway,
    keys: withoutNamesakes(await store.list(), key),
    selected: [selected],
    secrets: new Map([[key.id, await credentialOf(key, client, 'key_id')]]),
    declaredOff: new Map(),
    quotaPerUnit,
    tasks: await openLedger({ path: resolve(config.ledger), gateway, now: environment.clock.now }),
    clock: environment.clock,
    canDecodeImages: environment.canDecodeImages,
    concurrency: 1,
    signal,
    cap: config.cap && quotaFromUsd(config.cap, quotaPerUnit),
    onEvent,
  });
  if (fatal) throw fatal;
  const [result] = results;
  if (result === undefined) throw new Error(`${config.spec.name} has no result`);
  if (result.code !== 'gateway.interrupted') return result;
  // An interrupted check proves nothing about the key.
  throw new DiagnosticError({ summary: 'The check was interrupted', detail: verdictLine(result) });
}

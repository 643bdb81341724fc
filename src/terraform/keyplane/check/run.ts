import type { CheckEvent, Selected } from '../../../checks/index.ts';
import { type CheckResult, kindOfModule, type ObservedKey, quota, quotaFromUsd } from '../../../domain/index.ts';
import type { Clock } from '../../../gateway/index.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { credentialOf, findKeyById } from '../find-key.ts';
import { type CheckConfig, throwErrors } from './config.ts';
import { openLedger } from './ledger.ts';
import { verdictLine } from './text.ts';

/** The environment of a check, apart from the gateway. */
export interface CheckEnvironment {
  readonly clock: Clock;
  /** Returns whether the libraries that decode images and videos are installed. */
  readonly canDecodeMedia: () => Promise<boolean>;
}

/** Loads its modules lazily, because only checks need them. */
export async function systemEnvironment(): Promise<CheckEnvironment> {
  const [{ systemClock }, { canDecodeMedia }] = await Promise.all([
    import('../../../http/index.ts'),
    import('../../../checks/index.ts'),
  ]);
  return { clock: systemClock, canDecodeMedia };
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

/** The result where nobody could examine the media that would be paid for. An error would block each plan and destroy. */
const notExamined = (key: ObservedKey, { spec, schedule }: Selected): CheckResult => ({
  key: key.name,
  keyId: key.id,
  check: spec.name,
  module: spec.module,
  schedule,
  ...(spec.model === undefined ? {} : { model: spec.model }),
  verdict: 'unprovable',
  reason:
    `nothing was sent, because this provider cannot examine the output of ${spec.module}: ` +
    'it does not include the libraries that decode images and videos (sharp, mediabunny)',
  remedy: 'run-checks',
  findings: [],
  attempts: 0,
  cost: { charged: quota(0) },
  exchanges: [],
  artifacts: [],
});

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
  const { validateCheck, runChecks } = await import('../../../checks/index.ts');
  const { gateway, store } = client;
  const key = await findKeyById(config.keyId, client);
  throwErrors(await validateCheck(config.spec, key.models ?? []));
  const selected = await selectCheck(config, key);
  if (kindOfModule(config.spec.module) === 'media' && !(await environment.canDecodeMedia()))
    return notExamined(key, selected);
  const quotaPerUnit = await store.quotaPerUnit();
  const { results, fatal } = await runChecks({
    gateway,
    keys: withoutNamesakes(await store.list(), key),
    selected: [selected],
    secrets: new Map([[key.id, await credentialOf(key, client, 'key_id')]]),
    declaredOff: new Map(),
    quotaPerUnit,
    tasks: await openLedger(config.ledger, gateway.store, environment.clock.now),
    clock: environment.clock,
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

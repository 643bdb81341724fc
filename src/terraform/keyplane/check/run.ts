import type { CheckEvent, Selected } from '../../../checks/index.ts';
import { type CheckResult, kindOfModule, type ObservedKey, quotaFromUsd } from '../../../domain/index.ts';
import type { Clock } from '../../../gateway/index.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { credentialOf, findKeyById } from '../find-key.ts';
import { refuseIssues, type Wish } from './config.ts';
import { openLedger } from './ledger.ts';
import { messageOf } from './text.ts';

/** What is context a check beside the gateway. */
export interface World {
  readonly clock: Clock;
  /** Are the libraries here that look into pictures and films? */
  readonly canDecodeMedia: () => Promise<boolean>;
}

/** Loaded when a check runs: nothing else needs it. */
export async function systemWorld(): Promise<World> {
  const [{ systemClock }, { canDecodeMedia }] = await Promise.all([
    import('../../../http/index.ts'),
    import('../../../checks/index.ts'),
  ]);
  return { clock: systemClock, canDecodeMedia };
}

export interface Context {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly world: World;
  readonly onEvent?: (event: CheckEvent) => void;
}

/** Asked for by name: what is costly is selected too, and refused by us where it was not said twice. */
async function selectedFor({ spec, costly }: Wish, { name }: ObservedKey): Promise<Selected> {
  const { selectChecks } = await import('../../../checks/index.ts');
  const selections = new Map([[name, [spec.name]]]);
  const [selected] = selectChecks({ selections, definitions: [spec], asked: [], costly: true });
  if (selected === undefined) throw new Error(`nothing is selected by ${spec.name}`);
  if (selected.schedule !== 'costly' || costly) return selected;
  throw new DiagnosticError({
    summary: `The check ${spec.module} is costly`,
    detail: 'Each time that it runs it is paid for. Where that is meant, set `costly = true`.',
    path: ['costly'],
  });
}

/** What nobody can look at is not paid for. */
async function refuseUnseen({ spec }: Wish, { canDecodeMedia }: World): Promise<void> {
  if (kindOfModule(spec.module) !== 'media' || (await canDecodeMedia())) return;
  throw new DiagnosticError({
    summary: `The provider can not look at what ${spec.module} brings, so nothing was sent`,
    detail:
      'It comes without the libraries that decode pictures and films (sharp, mediabunny). ' +
      `The command line has them: \`keyplane check ${spec.module} --costly\` proves the keys of a manifest.`,
    path: ['module'],
  });
}

/** A run knows keys by their names: without the others of this name there is one to be meant. */
const withoutNamesakes = (keys: readonly ObservedKey[], key: ObservedKey): readonly ObservedKey[] =>
  keys.filter(({ id, name }) => id === key.id || name !== key.name);

/**
 * Runs one check of one key.
 *
 * @throws DiagnosticError at the argument that is wrong, before anything is sent; Fault: what ended the run
 */
export async function prove(wish: Wish, { client, signal, world, onEvent }: Context): Promise<CheckResult> {
  const { judgeCheck, runChecks } = await import('../../../checks/index.ts');
  const { gateway, store } = client;
  const key = await findKeyById(wish.keyId, client);
  refuseIssues(await judgeCheck(wish.spec, key.models ?? []));
  const selected = await selectedFor(wish, key);
  await refuseUnseen(wish, world);
  const quotaPerUnit = await store.quotaPerUnit();
  const { results, fatal } = await runChecks({
    gateway,
    keys: withoutNamesakes(await store.listed(), key),
    selected: [selected],
    secrets: new Map([[key.id, await credentialOf(key, client, 'key_id')]]),
    declaredOff: new Map(),
    quotaPerUnit,
    tasks: await openLedger(wish.ledger, gateway.store.account, world.clock.now),
    clock: world.clock,
    concurrency: 1,
    signal,
    cap: wish.cap && quotaFromUsd(wish.cap, quotaPerUnit),
    onEvent,
  });
  if (fatal) throw fatal;
  const [result] = results;
  if (result === undefined) throw new Error(`${wish.spec.name} gave no result`);
  if (result.code !== 'gateway.interrupted') return result;
  // Whoever ended it has learned nothing of the key.
  throw new DiagnosticError({ summary: 'The check was interrupted', detail: messageOf(result) });
}

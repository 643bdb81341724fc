import { join, resolve } from 'node:path';
import type { Selected } from '../checks/index.ts';
import type { Machine } from '../disk/index.ts';
import {
  type CheckReport,
  type Decimal,
  Fault,
  isolated,
  type KeyId,
  type ObservedKey,
  quotaFromUsd,
  type Secret,
  type UnixSeconds,
} from '../domain/index.ts';
import { type ApplyRun, untilAborted } from '../engine/index.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Manifest } from '../manifest/index.ts';
import { type KeyStore, underDeclaredNames } from '../reconcile/index.ts';
import { chooseChecks, refuseMeaningless } from './choose-checks.ts';
import type { ApplyRequest, KeyplaneOptions, ProofRequest } from './options.ts';

interface CheckSubject<R> {
  readonly options: KeyplaneOptions<Gateway>;
  readonly machine: Machine;
  /** Unix seconds, by the clock that the run judges expiries with. */
  readonly now: () => UnixSeconds;
  readonly manifest: Manifest;
  readonly request: R;
  readonly signal: AbortSignal | undefined;
}

interface Execution extends CheckSubject<ProofRequest> {
  readonly gateway: Gateway;
  readonly selected: readonly Selected[];
  readonly keys: readonly ObservedKey[];
  readonly quotaPerUnit: Decimal;
  /** Keys that do not work, with the reason, in addition to those that are declared so. */
  readonly leftDisabled?: ReadonlyMap<string, string>;
  /** The secrets that were delivered. */
  readonly secrets?: ReadonlyMap<KeyId, Secret>;
}

/** The number of checks that run concurrently, unless the options state another. */
const CONCURRENCY = 4;

const LEDGER = 'keyplane.tasks.jsonl';

async function prove(execution: Execution): Promise<CheckReport> {
  const { gateway, manifest, machine, now, request, options, signal } = execution;
  const { costLimit, openLedger, runChecks } = await import('../checks/index.ts');
  const { leftDisabled = new Map(), selected, keys, quotaPerUnit, secrets } = execution;
  const { ledger, resubmit, maxCost, alternateRoute, receiver, onEvent } = request;
  const limit = costLimit(maxCost);
  return await runChecks({
    gateway,
    keys,
    selected,
    declaredOff: new Map([...leftDisabled, ...declaredOff(manifest, now())]),
    quotaPerUnit,
    tasks: await openLedger({
      path: ledger === undefined ? join(manifest.folder, LEDGER) : resolve(ledger),
      gateway,
      now: machine.wall,
      resubmit,
      process: machine,
    }),
    now,
    clock: { now: machine.wall, sleep: machine.sleep },
    concurrency: options.concurrency ?? CONCURRENCY,
    signal,
    cap: limit && quotaFromUsd(limit, quotaPerUnit),
    alternateRoute,
    receiver,
    secrets,
    onEvent: isolated(onEvent),
  });
}

/** @throws Fault `usage.invalid` */
function gatewayOf({ gateway }: KeyplaneOptions<Gateway>): Gateway {
  if (gateway) return gateway;
  throw new Fault('usage.invalid', 'Checks need a gateway: a store has no way to send requests with its keys.');
}

/** The declared reasons why keys do not work. */
function declaredOff({ desired }: Manifest, now: UnixSeconds): ReadonlyMap<string, string> {
  const reasons = desired.keys.flatMap(({ name, enabled, expires }): [string, string][] => {
    if (enabled === false) return [[name, 'the key is disabled, as declared']];
    return expires != null && expires <= now ? [[name, 'the key is expired, as declared']] : [];
  });
  return new Map(reasons);
}

/** Runs the checks that the keys of a manifest select. @param subject with the store that the signal ends the reads of */
export async function checkManifest(
  subject: CheckSubject<ProofRequest> & { readonly store: KeyStore },
): Promise<CheckReport> {
  const { options, manifest, request, signal, store } = subject;
  const gateway = gatewayOf(options);
  const chosen = await chooseChecks(manifest, request);
  refuseMeaningless(chosen, request);
  const names = [...new Set(chosen.selected.map(({ key }) => key))];
  const reading = Promise.all([store.walk(), store.quotaPerUnit()]);
  const [live, quotaPerUnit] = await untilAborted(signal, reading);
  const keys = underDeclaredNames(names, live);
  return await prove({ ...subject, gateway, selected: chosen.selected, keys, quotaPerUnit });
}

const LEFT_DISABLED = 'the key is disabled at the gateway, and this run did not enable it';

/** A key that an apply left disabled does not work, which is neither news nor a failure of what was written. */
const leftDisabled = (keys: readonly ObservedKey[]): ReadonlyMap<string, string> =>
  new Map(keys.filter(({ status }) => status === 'disabled').map(({ name }) => [name, LEFT_DISABLED]));

/** The secrets as they arrived: what the readers of the sinks will use. */
const deliveredTo = (keys: readonly ObservedKey[], delivered: ReadonlyMap<string, Secret>) =>
  new Map(
    keys.flatMap(({ id, name }) => {
      const secret = delivered.get(name);
      return secret ? [[id, secret] as const] : [];
    }),
  );

/** The check step of an apply: the free and cheap checks of the keys that were written. */
export function checkStepOf(
  subject: Omit<CheckSubject<ApplyRequest>, 'manifest'> & { readonly manifest: Manifest | undefined },
): Pick<ApplyRun, 'check'> {
  const { options, manifest, request } = subject;
  const { check = true } = request;
  if (typeof check === 'function') return { check };
  const { gateway } = options;
  if (!check || !gateway || !manifest || manifest.selections.size === 0) return {};
  return {
    async check(names, _plan, delivered) {
      const { selected: all } = await chooseChecks(manifest, {}, names);
      const selected = all.filter(({ omittedBecause }) => omittedBecause === undefined);
      if (selected.length === 0) return undefined;
      const keys = underDeclaredNames(names, await gateway.store.walk());
      return await prove({
        ...subject,
        manifest,
        gateway,
        selected,
        keys,
        quotaPerUnit: await gateway.store.quotaPerUnit(),
        request: check === true ? {} : check,
        leftDisabled: leftDisabled(keys),
        secrets: deliveredTo(keys, delivered),
      });
    },
  };
}

import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Selected } from '../checks/index.ts';
import { hasEnded, processRef } from '../disk/index.ts';
import {
  type CheckReport,
  Fault,
  isolated,
  type KeyId,
  matchesAnyGlob,
  type ObservedKey,
  type Quota,
  quotaFromUsd,
  type Secret,
  tryParseDecimal,
} from '../domain/index.ts';
import type { ApplyRun } from '../engine/index.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Manifest } from '../manifest/index.ts';
import { underDeclaredNames } from '../reconcile/index.ts';
import type { ApplyRequest, KeyplaneOptions, ProofRequest } from './options.ts';

interface CheckSubject<R> {
  readonly options: KeyplaneOptions<Gateway>;
  readonly manifest: Manifest;
  readonly request: R;
  readonly signal: AbortSignal | undefined;
}

/** The folder of the first manifest, or that manifest when it is a folder. */
async function ledgerPath({ files: [first] }: Manifest, named: string | undefined): Promise<string> {
  if (named !== undefined) return resolve(named);
  const manifest = resolve(first ?? '.');
  const isFolder = (await stat(manifest).catch(() => undefined))?.isDirectory() === true;
  return join(isFolder ? manifest : dirname(manifest), 'keyplane.tasks.jsonl');
}

interface Execution {
  readonly gateway: Gateway;
  readonly manifest: Manifest;
  readonly selected: readonly Selected[];
  readonly keys: readonly ObservedKey[];
  readonly declaredOff: ReadonlyMap<string, string>;
  readonly request: Pick<ProofRequest, 'ledger' | 'maxCost' | 'onEvent'>;
  /** The secrets that were delivered. */
  readonly secrets?: ReadonlyMap<KeyId, Secret>;
  readonly concurrency: number | undefined;
  readonly signal: AbortSignal | undefined;
}

async function prove({ gateway, manifest, request, signal, concurrency = 4, ...run }: Execution): Promise<CheckReport> {
  const [{ openTaskFile, runChecks }, { systemClock }] = await Promise.all([
    import('../checks/index.ts'),
    import('../gateway/index.ts'),
  ]);
  const { store } = gateway;
  const quotaPerUnit = await store.quotaPerUnit();
  const tasks = openTaskFile({
    path: await ledgerPath(manifest, request.ledger),
    account: store.account,
    usage: () => store.usage(),
    run: randomUUID(),
    owner: await processRef(process.pid),
    isAlive: async (owner) => (await hasEnded(owner)) !== true,
    now: systemClock.now,
    resubmit: false,
  });
  const onEvent = isolated(request.onEvent);
  const cap = capOf(request, quotaPerUnit);
  return await runChecks({
    ...run,
    gateway,
    quotaPerUnit,
    tasks,
    clock: systemClock,
    concurrency,
    signal,
    cap,
    onEvent,
  });
}

/** @throws Fault `usage.invalid` */
function capOf(
  { maxCost }: Pick<ProofRequest, 'maxCost'>,
  rate: Parameters<typeof quotaFromUsd>[1],
): Quota | undefined {
  if (maxCost === undefined) return undefined;
  const usd = tryParseDecimal(String(maxCost));
  if (usd !== undefined && usd.digits >= 0n) return quotaFromUsd(usd, rate);
  throw new Fault('usage.invalid', '`maxCost` is not an amount in US dollars, such as 0.50.', { detail: { maxCost } });
}

/** @throws Fault `usage.invalid` */
function gatewayOf({ gateway }: KeyplaneOptions<Gateway>): Gateway {
  if (gateway) return gateway;
  throw new Fault('usage.invalid', 'Checks need a gateway: a store has no way to send requests with its keys.');
}

/** The declared reasons why keys do not work. */
function declaredOff({ desired }: Manifest, now: number): ReadonlyMap<string, string> {
  const reasons = desired.keys.flatMap(({ name, enabled, expires }): [string, string][] => {
    if (enabled === false) return [[name, 'the key is disabled, as declared']];
    return expires != null && expires <= now ? [[name, 'the key is expired, as declared']] : [];
  });
  return new Map(reasons);
}

/** Runs the checks that the keys of a manifest select. */
export async function checkManifest({
  options,
  manifest,
  request,
  signal,
}: CheckSubject<ProofRequest>): Promise<CheckReport> {
  const gateway = gatewayOf(options);
  const { adoptedIds, SELECTION_WORDS, selectChecks } = await import('../checks/index.ts');
  const { only = [], select = [], costly = false } = request;
  const known = [...manifest.checks.map(({ name }) => name), ...SELECTION_WORDS];
  const unknown = select.find((word) => !known.includes(word));
  if (unknown !== undefined) {
    throw new Fault('usage.invalid', `There is no check, module, kind or class ${JSON.stringify(unknown)}.`);
  }
  const selected = selectChecks({
    selections: new Map([...manifest.selections].filter(([name]) => only.length === 0 || matchesAnyGlob(only, name))),
    adopted: adoptedIds(manifest.desired.keys),
    definitions: manifest.checks,
    asked: select,
    costly,
  });
  if (selected.length === 0 && only.length + select.length > 0) {
    throw new Fault('usage.invalid', 'The request selects no check of any key.');
  }
  const keys = underDeclaredNames([...manifest.selections.keys()], await gateway.store.walk());
  const off = declaredOff(manifest, Math.floor(gateway.time.now().getTime() / 1000));
  return await prove({
    gateway,
    manifest,
    selected,
    keys,
    declaredOff: off,
    request,
    concurrency: options.concurrency,
    signal,
  });
}

const LEFT_DISABLED = 'the key is disabled at the gateway, and this run did not enable it';

/** The check step of an apply: the free and cheap checks of the keys that were written. */
export function checkStepOf({
  options,
  manifest,
  request: { check = true },
  signal,
}: Omit<CheckSubject<ApplyRequest>, 'manifest'> & { readonly manifest: Manifest | undefined }): Pick<
  ApplyRun,
  'check'
> {
  if (typeof check === 'function') return { check };
  const { gateway } = options;
  if (!check || !gateway || !manifest || manifest.selections.size === 0) return {};
  return {
    async check(names, _plan, delivered) {
      const { adoptedIds, selectChecks } = await import('../checks/index.ts');
      const all = selectChecks({
        selections: new Map([...manifest.selections].filter(([name]) => names.includes(name))),
        adopted: adoptedIds(manifest.desired.keys),
        definitions: manifest.checks,
        asked: [],
        costly: false,
      });
      const selected = all.filter(({ omittedBecause }) => omittedBecause === undefined);
      if (selected.length === 0) return undefined;
      const keys = underDeclaredNames(names, await gateway.store.walk());
      const left = keys.filter(({ status }) => status === 'disabled').map(({ name }) => [name, LEFT_DISABLED] as const);
      const off = declaredOff(manifest, Math.floor(gateway.time.now().getTime() / 1000));
      const { concurrency } = options;
      return await prove({
        gateway,
        manifest,
        selected,
        keys,
        declaredOff: new Map([...left, ...off]),
        request: {},
        secrets: new Map(
          keys.flatMap(({ id, name }) => {
            const secret = delivered.get(name);
            return secret ? [[id, secret] as const] : [];
          }),
        ),
        concurrency,
        signal,
      });
    },
  };
}

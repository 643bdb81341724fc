import { connectionOf, type GatewayClient } from '../../client/index.ts';
import {
  bareCheck,
  type CheckReport,
  type CheckSpec,
  Fault,
  moduleDiagnostics,
  quotaFromUsd,
  renderCheckMessage,
} from '../../domain/index.ts';
import { type Clock, systemClock } from '../../gateway/index.ts';
import { costLimit } from '../cost/cost-limit.ts';
import { type CustomCheck, validCustomChecks } from '../custom-check.ts';
import { SELECTION_WORDS, selectChecks } from '../select.ts';
import { openLedger } from '../tasks/account-ledger.ts';
import { validateCheck } from '../validate-check.ts';
import { endingWith, runChecks } from './run.ts';
import type { CheckEvent } from './run-options.ts';

/** A check as a program defines it: a module, and everything that differs from the module without a definition. */
export type CheckInput = Pick<CheckSpec, 'module'> &
  Partial<
    Pick<
      CheckSpec,
      'name' | 'model' | 'family' | 'request' | 'expect' | 'retries' | 'timeoutMs' | 'schedule' | 'folder'
    >
  >;

/** The keys to check, by name, and the checks. */
export interface CheckKeysRequest {
  /** A client of the account that owns the keys. It stays open. */
  readonly gateway: GatewayClient;
  /**
   * The checks of each key, by the name of the key. A word is the name of a check below, a module (`chat`), a kind
   * (`enforcement`) or a class of costs (`free`, `cheap`, `costly`).
   */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /**
   * A check without a name has that of its module. Files that a request names are relative to `folder`. Those of {@link defineCheck} are
   * among them.
   */
  readonly checks?: readonly (CheckInput | CustomCheck)[];
  /** The file that records video tasks, each of which is paid for: a later run continues them instead of paying again. */
  readonly ledger: string;
  /** Also runs costly checks that no key names. Default: false. */
  readonly costly?: boolean;
  /** The most that the run may cost, in US dollars, as decimal text: `0.50`. Default: no limit. */
  readonly maxCost?: string;
  /** The number of checks that run concurrently. Default: 4. */
  readonly concurrency?: number;
  /** Starts no further check; running checks finish, and the report has them. While the account is read, it rejects instead. */
  readonly signal?: AbortSignal;
  /** Called for each event of the run. */
  readonly onEvent?: (event: CheckEvent) => void;
  /** Default: the time of the system. */
  readonly clock?: Clock;
}

const invalid = (message: string, detail: Readonly<Record<string, unknown>>): Fault =>
  new Fault('request.invalid', message, { detail });

/** @throws Fault `request.invalid` with the diagnostics of the check */
async function definitionOf(input: CheckInput): Promise<CheckSpec> {
  const spec: CheckSpec = { ...bareCheck(input.module), ...input };
  const diagnostics = [...moduleDiagnostics(spec), ...(await validateCheck(spec))];
  const [first] = diagnostics;
  if (first === undefined) return spec;
  const problem = `\`${first.path.join('.')}\` ${renderCheckMessage(first)}`;
  throw invalid(`The check “${spec.name}” is invalid: ${problem}.`, { check: spec.name, diagnostics });
}

/** @throws Fault `request.invalid` */
function refuseUnknownWords({ keys }: CheckKeysRequest, names: readonly string[]): void {
  const known = new Set([...SELECTION_WORDS, ...names]);
  for (const [key, words] of Object.entries(keys)) {
    const unknown = words.find((word) => !known.has(word));
    if (unknown === undefined) continue;
    throw invalid(`“${unknown}”, which the key “${key}” names, is not a check, a module, a kind or a class.`, { key });
  }
}

/**
 * Proves keys by real requests: reveals their secrets in one batch, runs their checks from free
 * to costly, and reports. Secrets stay in memory, and the report holds none. Every check is validated before anything is sent.
 *
 * Never throws once it has begun: the report has the fault that ended it early. A key that the account does not have is a
 * result too.
 *
 * @throws Fault `request.invalid` for an invalid check, word or amount; any fault of reading the account.
 */
export async function checkKeys(asked: CheckKeysRequest): Promise<CheckReport> {
  const { clock = systemClock, costly = false, concurrency = 4, signal, onEvent } = asked;
  const gateway = connectionOf(asked.gateway);
  const inputs: CheckInput[] = [];
  const own: CustomCheck[] = [];
  for (const check of asked.checks ?? []) {
    if ('run' in check) own.push(check);
    else inputs.push(check);
  }
  const definitions = await Promise.all(inputs.map(definitionOf));
  const names = definitions.map(({ name }) => name);
  const custom = validCustomChecks(own, names);
  refuseUnknownWords(asked, [...names, ...custom.map(({ name }) => name)]);
  const limit = costLimit(asked.maxCost);
  const { store } = endingWith(gateway, signal);
  const quotaPerUnit = await store.quotaPerUnit();
  return await runChecks({
    gateway,
    keys: await store.walk(),
    selected: selectChecks({ selections: new Map(Object.entries(asked.keys)), definitions, custom, asked: [], costly }),
    declaredOff: new Map(),
    quotaPerUnit,
    tasks: await openLedger({ path: asked.ledger, gateway, now: clock.now }),
    clock,
    concurrency,
    signal,
    cap: limit && quotaFromUsd(limit, quotaPerUnit),
    onEvent,
  });
}

import type { ProfileName } from '../../../../../src/reference/index.ts';
import { type Place, USER_ID } from '../../../place.ts';
import type { Stored } from '../values.ts';
import { type ReadCell, titleOf } from './cells.ts';
import type { Arguments } from './values.ts';

/** The results that readers must return, computed from what the gateway stores and without code of the provider. */

const UNITS = 500_000;
const STATUSES: Readonly<Record<string, string>> = { 1: 'enabled', 2: 'disabled', 3: 'expired', 4: 'exhausted' };
const MASK = '*'.repeat(10);
const MODELS = ['alpha-chat-1', 'text-embedding-3-small'];

type Key = Stored & { readonly id: number; readonly name: string };

interface LogEntry {
  readonly created_at: number;
  readonly token_id: number;
  readonly token_name: string;
  readonly quota: number;
  readonly type: number;
}

/** The content of the gateway at one time. */
export interface Holdings {
  readonly profile: ProfileName;
  readonly keys: readonly Key[];
  readonly log: readonly LogEntry[];
  readonly wallet: number;
  readonly consumed: number;
  /** The keys of checks, with what the gateway has charged since the last reading. */
  readonly charged: ReadonlyMap<number, number>;
}

/** Reads what the gateway holds. @param before the reading to compare charges with */
export async function holdingsOf(place: Place, profile: ProfileName, before?: Holdings): Promise<Holdings> {
  const { keys, log, accounts } = await place.control<{
    keys: readonly Key[];
    log: readonly LogEntry[];
    accounts: readonly { readonly user_id: number; readonly quota: number }[];
  }>('GET', '/state');
  const usedBefore = new Map(before?.keys.map(({ id, used_quota: used }) => [id, Number(used)]));
  const charged = keys.map(({ id, used_quota: used }) => [id, Number(used) - (usedBefore.get(id) ?? 0)] as const);
  const wallet = accounts.find(({ user_id: id }) => id === USER_ID)?.quota ?? 0;
  return {
    profile,
    keys,
    log,
    wallet,
    consumed: log.reduce((sum, { quota }) => sum + quota, 0),
    charged: new Map(charged),
  };
}

const instant = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString().replace('.000', '');

const textsOf = (value: unknown): readonly string[] => String(value).split(/[,\n]/).filter(Boolean);

function budgetOf(key: Key, profile: ProfileName): object {
  if (key.unlimited_quota) return { unlimited: true };
  const [remain, used] = [Number(key.remain_quota), Number(key.used_quota)];
  // Without a report of use, nobody knows what the key had at first.
  return profile === 'contract'
    ? { usd: remain / UNITS, initial: true }
    : { usd: (remain + used) / UNITS, per: 'lifetime' };
}

function keyOf(key: Key, profile: ProfileName): Record<string, unknown> {
  const isContract = profile === 'contract';
  const secret = String(key.key);
  return {
    id: key.id,
    name: key.name,
    status: STATUSES[String(key.status)],
    stored_status: STATUSES[String(key.status)],
    enabled: key.status !== 2,
    budget: budgetOf(key, profile),
    smart_routing_tiers: key.smart_routing ? key.smart_route_tiers : null,
    group: key.group || null,
    cross_group_retry: key.cross_group_retry,
    models: key.model_limits_enabled ? textsOf(key.model_limits) : ['any'],
    allow_ips: key.allow_ips === '' ? ['anywhere'] : textsOf(key.allow_ips),
    expires_at: key.expired_time === -1 ? 'never' : instant(key.expired_time),
    unlimited: key.unlimited_quota,
    remaining_quota: key.unlimited_quota ? null : key.remain_quota,
    used_quota: isContract ? null : key.used_quota,
    masked_key: isContract ? MASK : `${secret.slice(0, 4)}${MASK}${secret.slice(-4)}`,
    created_at: isContract ? null : instant(key.created_time),
  };
}

const selected = ({ id, name }: Arguments, { keys }: Holdings): Key | undefined =>
  keys.find((key) => (id ?? null) === key.id || ((id ?? null) === null && key.name === name));

const isMatch = (glob: unknown, name: string): boolean =>
  (glob ?? null) === null || name.startsWith(String(glob).replace('*', ''));

export const matching = ({ name, status, group }: Arguments, { keys }: Holdings): readonly Key[] =>
  keys.filter(
    (key) =>
      isMatch(name, key.name) &&
      ((status ?? null) === null || STATUSES[String(key.status)] === status) &&
      ((group ?? null) === null || key.group === group),
  );

const inDollars = <N extends string>(name: N, units: number): Record<`${N}_quota` | `${N}_usd`, number> =>
  ({ [`${name}_quota`]: units, [`${name}_usd`]: units / UNITS }) as Record<`${N}_quota` | `${N}_usd`, number>;

/** The spending since a time, by key. */
function spendings({ since, key_id: only }: Arguments, { log }: Holdings) {
  const entries = log.filter(({ type, created_at: at }) => type === 2 && at >= Date.parse(String(since)) / 1000);
  return [...new Set(entries.map(({ token_id: id }) => id))]
    .map((id) => [id, entries.filter(({ token_id: own }) => own === id)] as const)
    .filter(([id]) => (only ?? null) === null || id === only)
    .map(([id, own]) => ({
      id,
      name: own[0]?.token_name,
      ...inDollars(
        'spent',
        own.reduce((sum, { quota }) => sum + quota, 0),
      ),
      entries: own.length,
    }))
    .sort((a, b) => b.spent_quota - a.spent_quota);
}

function usageOf(args: Arguments, holdings: Holdings): Record<string, unknown> {
  const all = inDollars('consumed', holdings.consumed);
  // Nobody used the account in the last minute.
  const rates = { rpm: 0, tpm: 0 };
  if ((args.since ?? null) === null) return { ...all, ...rates };
  const keys = spendings(args, holdings);
  const spent = keys.reduce((sum, { spent_quota: units }) => sum + units, 0);
  return { ...all, ...rates, ...inDollars('spent', spent), keys };
}

/** A key must be enabled, its model one for chats, and the answer as expected. */
function verdictOf({ module, model, max_cost_usd: most, expect }: Arguments, key: Key | undefined): string {
  if (module === 'disabled-key') return 'skipped';
  if (key?.status === 2) return 'failed';
  if (most === 0) return 'skipped';
  const isAsExpected = (expect as { contains?: unknown } | null | undefined)?.contains === undefined;
  return (model ?? 'alpha-chat-1') === 'alpha-chat-1' && isAsExpected ? 'passed' : 'failed';
}

function checkOf(args: Arguments, { keys, charged }: Holdings): Record<string, unknown> {
  const key = keys.find(({ id }) => id === args.key_id);
  const verdict = verdictOf(args, key);
  const isCounted = verdict !== 'skipped' || args.module !== 'disabled-key';
  const cost = isCounted ? inDollars('cost', charged.get(Number(args.key_id)) ?? 0) : {};
  const isModelChosen = args.module === 'chat' && key?.status !== 2;
  const model = args.model ?? (isModelChosen ? 'alpha-chat-1' : null);
  return { model, verdict, passed: verdict === 'passed', message: verdict, ...cost };
}

const secretOf = (args: Arguments, holdings: Holdings): Record<string, unknown> => {
  const key = selected(args, holdings);
  return { id: key?.id, name: key?.name, secret: `sk-${String(key?.key)}` };
};

function keysOf(args: Arguments, holdings: Holdings): Record<string, unknown> {
  const found = matching(args, holdings);
  return {
    ids: found.map(({ id }) => id),
    names: found.map(({ name }) => name),
    keys: found.map((key) => keyOf(key, holdings.profile)),
  };
}

function modelsOf({ key_id: id }: Arguments, { keys }: Holdings): Record<string, unknown> {
  const key = keys.find((each) => each.id === id);
  return { models: key?.model_limits_enabled ? textsOf(key.model_limits) : MODELS };
}

const groupOf = (description: string, { profile }: Holdings) =>
  profile === 'contract' ? {} : { description, ratio: '1' };

const ORACLES: Readonly<Record<string, (args: Arguments, holdings: Holdings) => Record<string, unknown>>> = {
  'data keyplane_account': (_, { profile, wallet }) => ({
    user_id: USER_ID,
    ...(profile === 'contract' ? {} : { username: 'platform', group: 'default' }),
    wallet_quota: wallet,
    quota_per_unit: UNITS,
  }),
  'data keyplane_groups': (_, holdings) => ({
    groups: { default: groupOf('Default', holdings), vip: groupOf('Fast', holdings) },
  }),
  'data keyplane_api_key': (args, holdings) => keyOf(selected(args, holdings) as Key, holdings.profile),
  'data keyplane_api_keys': keysOf,
  'data keyplane_api_key_secret': secretOf,
  'ephemeral keyplane_api_key_secret': secretOf,
  'data keyplane_models': modelsOf,
  'data keyplane_usage': usageOf,
  'data keyplane_check': checkOf,
  'list keyplane_api_key': keysOf,
};

/** The result that a reader with these arguments must return. Parts that are null are omitted. */
export function requiredOf({ reader }: ReadCell, args: Arguments, holdings: Holdings): Record<string, unknown> {
  const { [titleOf(reader)]: oracle } = ORACLES;
  if (oracle === undefined) throw new Error(`no oracle of ${titleOf(reader)}`);
  return { ...args, ...oracle(args, holdings) };
}

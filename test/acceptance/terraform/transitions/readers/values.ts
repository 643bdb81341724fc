import type { ProfileName } from '../../../../../src/reference/index.ts';
import { type ReadCell, titleOf } from './cells.ts';

/** The keys of the account, the arguments of each reader, and what happens at the gateway between two reads. */

export type Value = string | number | boolean | null | readonly Value[] | { readonly [part: string]: Value };
export type Arguments = Readonly<Record<string, Value>>;

/** The IDs of the keys. Somebody changes all fields of the first, and exchanges the names of two. */
export const [CHANGING, STEADY, OTHER, SWAPPED, SPARE, NARROW] = [1, 2, 3, 4, 5, 6] as const;

const SMART: Readonly<Record<string, object>> = {
  contract: { smart_routing: true, smart_route_tiers: '{"a":[1]}' },
};

export const seedOf = (profile: ProfileName) => [
  {
    name: 'renamed',
    unlimited_quota: true,
    group: 'vip',
    cross_group_retry: true,
    model_limits_enabled: true,
    model_limits: 'alpha-chat-1',
    allow_ips: '10.0.0.0/8',
    expired_time: 1_990_000_000,
    ...SMART[profile],
  },
  { name: 'steady', unlimited_quota: true, group: 'vip' },
  { name: 'other', remain_quota: 500_000, status: 2, group: 'default' },
  { name: 'swapped', unlimited_quota: true },
  { name: 'spare', unlimited_quota: true },
  { name: 'narrow', unlimited_quota: true, model_limits_enabled: true, model_limits: 'alpha-chat-1' },
];

/** The changes that somebody makes between two reads, by key. */
export const editsOf = (profile: ProfileName): ReadonlyMap<number, object> =>
  new Map<number, object>([
    [
      CHANGING,
      {
        name: 'moved',
        status: 2,
        unlimited_quota: false,
        remain_quota: 250_000,
        group: 'default',
        cross_group_retry: false,
        model_limits: 'text-embedding-3-small',
        allow_ips: '192.0.2.0/24',
        expired_time: 2_090_014_400,
        ...(SMART[profile] && { smart_route_tiers: '{"a":[2]}' }),
      },
    ],
    [SWAPPED, { name: 'former' }],
    [SPARE, { name: 'swapped' }],
    [NARROW, { model_limits: 'text-embedding-3-small' }],
  ]);

/** Before the run: each is recorded minutes after the one before. */
export const FIRST_USES = [STEADY, NARROW, STEADY] as const;
/** Between the two reads. */
export const LATER_USES = [STEADY, NARROW, CHANGING] as const;
export const SPENT = 50_000;

/** The values of one argument. */
interface ArgumentValues {
  readonly first: Value;
  readonly second: Value;
  /** The arguments that a reader without this one needs instead. */
  readonly instead?: Arguments;
  /** The value with which a change at the gateway shows. Default: the first. */
  readonly drifting?: Value;
}

interface ReaderValues {
  /** The arguments next to the one that a cell is about. */
  readonly base: Arguments;
  readonly values: Readonly<Record<string, ArgumentValues>>;
}

/** The facts that values depend on. */
export interface ReadFacts {
  /** A time between the uses, as RFC 3339. */
  readonly between: string;
  /** The keys of a check, one for each of its cells: costs are counted by key. */
  readonly ownKeys: ReadonlyMap<string, number>;
}

const ONE_KEY: Readonly<Record<string, ArgumentValues>> = {
  id: { first: STEADY, second: OTHER, instead: { name: 'other' }, drifting: CHANGING },
  name: { first: 'steady', second: 'other', instead: { id: OTHER }, drifting: 'swapped' },
};

const FILTERS: Readonly<Record<string, ArgumentValues>> = {
  name: { first: 'r*', second: 's*' },
  status: { first: 'enabled', second: 'disabled' },
  group: { first: 'vip', second: 'default' },
};

const EVER = '2020-01-01T00:00:00Z';

const CHECK_VALUES: Readonly<Record<string, ArgumentValues>> = {
  module: { first: 'chat', second: 'disabled-key' },
  model: { first: 'text-embedding-3-small', second: 'alpha-chat-1', drifting: 'alpha-chat-1' },
  family: { first: 'chat', second: 'embeddings' },
  request: { first: '{"max_tokens":7}', second: '{"max_tokens":8}' },
  expect: { first: { max_latency_ms: 600_000 }, second: { contains: ['never the output'] } },
  costly: { first: true, second: false },
  max_cost_usd: { first: 0, second: 5 },
  timeout: { first: '5m', second: '6m' },
  retries: { first: 0, second: 1 },
  ledger: { first: 'one.jsonl', second: 'two.jsonl' },
};

const checkValues = ({ ownKeys }: ReadFacts, label: string): ReaderValues => ({
  base: { key_id: ownKeys.get(label) ?? 0, module: 'chat', model: 'alpha-chat-1' },
  values: { key_id: { first: ownKeys.get(label) ?? 0, second: OTHER }, ...CHECK_VALUES },
});

const VALUES: Readonly<Record<string, (facts: ReadFacts, label: string) => ReaderValues>> = {
  'data keyplane_account': () => ({ base: {}, values: {} }),
  'data keyplane_groups': () => ({ base: {}, values: {} }),
  'data keyplane_api_key': () => ({ base: { id: CHANGING }, values: ONE_KEY }),
  'data keyplane_api_keys': () => ({ base: { group: 'vip' }, values: FILTERS }),
  'data keyplane_api_key_secret': () => ({ base: { id: CHANGING }, values: ONE_KEY }),
  'ephemeral keyplane_api_key_secret': () => ({ base: { id: CHANGING }, values: ONE_KEY }),
  'list keyplane_api_key': () => ({ base: {}, values: FILTERS }),
  'data keyplane_models': () => ({ base: { key_id: NARROW }, values: { key_id: { first: NARROW, second: STEADY } } }),
  'data keyplane_usage': ({ between }) => ({
    base: { since: EVER },
    values: {
      since: { first: EVER, second: between },
      key_id: { first: STEADY, second: NARROW },
    },
  }),
  'data keyplane_check': checkValues,
  'action keyplane_check': checkValues,
};

/** The time limits of a reader: of its only operation. */
const timeoutValues = ({ schema }: ReadCell): ArgumentValues => {
  const [operation = ''] = 'attributes' in schema ? Object.keys(schema.attributes) : [];
  return { first: { [operation]: '5m' }, second: { [operation]: '6m' } };
};

export function valuesOf(cell: ReadCell, facts: ReadFacts): ReaderValues & { readonly own: ArgumentValues } {
  const title = titleOf(cell.reader);
  const { [title]: find } = VALUES;
  if (find === undefined) throw new Error(`no values of ${title}`);
  const { base, values } = find(facts, cell.label);
  const own = cell.attribute === 'timeouts' ? timeoutValues(cell) : values[cell.attribute];
  if (own === undefined && cell.setter !== 'computed') throw new Error(`no values of ${title} ${cell.attribute}`);
  return { base, values, own: own ?? { first: null, second: null } };
}

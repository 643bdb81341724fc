import type { Chance } from '../../scripts/soak/chance.ts';
import type { Bench, Seat, StoredKey } from './bench.ts';

/** The declarations of users, as manifests and as the settings that the gateway must store. */

export const DAY = 86_400;
const HOUR = 3600;
const UNITS = 500_000;

/** A value of a field, as it is written, with what the gateway stores for it. */
interface Setting {
  readonly text: unknown;
  readonly stored: Readonly<Record<string, unknown>>;
}

export const FIELDS = ['group', 'models', 'allowIps', 'expires'] as const;
export type Field = (typeof FIELDS)[number];

export const VALUES: Readonly<Record<Field, readonly [Setting, ...Setting[]]>> = {
  group: [
    { text: 'default', stored: { group: 'default' } },
    { text: 'vip', stored: { group: 'vip' } },
  ],
  models: [
    { text: ['alpha-chat-1'], stored: { models: 'alpha-chat-1' } },
    { text: ['text-embedding-3-small', 'alpha-chat-1'], stored: { models: 'alpha-chat-1,text-embedding-3-small' } },
    { text: 'any', stored: { models: 'any' } },
  ],
  allowIps: [
    { text: ['127.0.0.0/8'], stored: { ips: '127.0.0.0/8' } },
    { text: ['10.0.0.0/8', '127.0.0.1'], stored: { ips: '10.0.0.0/8,127.0.0.1' } },
    { text: 'anywhere', stored: { ips: '' } },
  ],
  expires: [
    { text: '2035-01-01T00:00:00Z', stored: { expires: 2_051_222_400 } },
    { text: 'never', stored: { expires: -1 } },
  ],
};

export interface Budget {
  readonly text: unknown;
  /** The units that a budget for the whole life grants. */
  readonly units?: number;
  /** The most that the key may hold. */
  readonly most: number;
}

export const BUDGETS: readonly [Budget, ...Budget[]] = [
  { text: 'unlimited', most: Number.POSITIVE_INFINITY },
  { text: { usd: 20 }, units: 20 * UNITS, most: 20 * UNITS },
  { text: { quota: 7_000_001 }, units: 7_000_001, most: 7_000_001 },
  { text: { usd: 5, per: 'month' }, most: 5 * UNITS },
  { text: { usd: 9, below: { usd: 2 } }, most: Number.POSITIVE_INFINITY },
  { text: { usd: 3, initial: true }, most: Number.POSITIVE_INFINITY },
];

export interface Rotation {
  readonly every: number;
  readonly overlap: number;
  readonly quiet: number;
}

export const ROTATIONS: readonly [Rotation, ...Rotation[]] = [
  { every: 6 * DAY, overlap: 2 * DAY, quiet: 6 * HOUR },
  { every: 30 * DAY, overlap: 12 * HOUR, quiet: DAY },
];

/** One declared key. Its label stays whatever happens to its name. */
export interface Declared {
  readonly label: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly settings: Readonly<Partial<Record<Field, Setting>>>;
  readonly budget: Budget;
  readonly rotate?: Rotation;
  readonly renamedFrom?: string | { readonly id: number };
  /** By its ID, as it is. */
  readonly id?: number;
  readonly isDelivered: boolean;
}

export type Prune = 'never' | 'disable' | 'delete' | 'quarantine';
export const QUARANTINE = 3 * DAY;

/** A manifest, in a folder of its own, for one account. */
export interface Team {
  readonly title: string;
  readonly seat: Seat;
  readonly prefix: string;
  readonly prune: Prune;
  keys: ReadonlyMap<string, Declared>;
  /** The declarations that were removed, as they were. */
  readonly removed: Map<string, Declared>;
}

const seconds = (length: number): string => `${length}s`;

const declarationOf = (
  { name, id, enabled, settings, budget, rotate, renamedFrom, isDelivered, label }: Declared,
  vault: string,
) => ({
  ...(enabled ? {} : { enabled }),
  ...Object.fromEntries(FIELDS.flatMap((field) => (settings[field] ? [[field, settings[field].text]] : []))),
  budget: budget.text,
  ...(rotate && {
    rotate: { every: seconds(rotate.every), overlap: seconds(rotate.overlap), quiet: seconds(rotate.quiet) },
  }),
  ...(renamedFrom === undefined ? {} : { renamedFrom }),
  ...(id === undefined ? {} : { id, name }),
  ...(isDelivered
    ? { deliver: [isInVault(label) ? { vault: { url: vault, path: label, as: ENTRY } } : fileOf(label)] }
    : {}),
});

const fileOf = (label: string) => ({ file: `${label}.secret`, format: 'raw' });
const ENTRY = 'secret';

/** Every other key has its secret in a store on the network. */
const isInVault = (label: string): boolean => Number(label.slice(1)) % 2 === 0;

/** The secret of a key as the readers of its sink get it. */
export const heldOf = async (
  { read, vault }: Bench,
  { seat }: Team,
  { label }: Declared,
): Promise<string | undefined> =>
  isInVault(label) ? (vault.live(label)?.[ENTRY] as string | undefined) : await read(seat, sinkOf(label));

/** Somebody else writes to the sink of a key. */
export async function overwrite({ write, vault }: Bench, { seat }: Team, { label }: Declared, text: string) {
  if (isInVault(label)) vault.put(label, { [ENTRY]: text });
  else await write(seat, sinkOf(label), text);
}

/** Next to the manifest, by whose file it is found. */
const sinkOf = (label: string): string => `manifest/${label}.secret`;
export const PROTECTED = 'root';

/** Writes the manifest of a team in two files. */
export async function writeManifest(bench: Bench, { seat, prefix, prune, keys }: Team): Promise<void> {
  const entries = [...keys.values()].map((key): [string, object] => [key.name, declarationOf(key, bench.vault.url)]);
  const half = Math.ceil(entries.length / 2);
  const ownership = {
    scope: `${prefix}-*`,
    prune: prune === 'quarantine' ? { mode: 'delete', quarantine: seconds(QUARANTINE) } : prune,
    protect: [`${prefix}-${PROTECTED}*`],
  };
  const first = { version: 1, ownership, keys: Object.fromEntries(entries.slice(0, half)) };
  const second = { version: 1, keys: Object.fromEntries(entries.slice(half)) };
  await bench.write(seat, 'manifest/1.json', JSON.stringify(first));
  await bench.write(seat, 'manifest/2.json', JSON.stringify(second));
}

export const inScope = ({ prefix, seat }: Team, { name, user_id }: StoredKey): boolean =>
  user_id === (seat.account === 0 ? 42 : 43) && name.startsWith(`${prefix}-`);

/** The beginning of the names that the gateway gives to a key with this declared name, besides itself. */
const startOf = (name: string): string => (name.length > 30 ? name.slice(0, 19) : name);

/** Has a key the declared name, or that of a generation or of a quarantine of it? */
export const hasName = (declared: string, live: string): boolean =>
  live === declared || live.startsWith(`${startOf(declared)}~`);

export const isMarked = (name: string): boolean => /~[qd]\d{8}-[0-9a-z]{7}$/.test(name);
export const isGeneration = (name: string): boolean => /~\d{8}-\d{4}(\+|$)/.test(name);

const listed = (value: unknown): string =>
  String(value ?? '')
    .split(/[\n,]/)
    .filter(Boolean)
    .sort()
    .join();

/** The settings of a stored key, in the words of the declared ones. */
export const settingsOf = (key: StoredKey): Readonly<Record<string, unknown>> => ({
  group: key.group,
  models: key.model_limits_enabled ? listed(key.model_limits) : 'any',
  ips: listed(key.allow_ips),
  expires: key.expired_time,
  retry: key.cross_group_retry,
});

/** The names of `settingsOf` that a declaration manages, with the values that it wants. */
export const wantedOf = ({ settings }: Declared): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...Object.values(settings).map((setting) => setting?.stored));

export function randomDeclared(chance: Chance, label: string, prefix: string): Declared {
  const isLong = chance.happens(0.15);
  const rotate = chance.happens(0.45) ? chance.pick(ROTATIONS) : undefined;
  const settings = Object.fromEntries(
    FIELDS.filter(() => chance.happens(0.4)).map((field) => [field, chance.pick(VALUES[field])]),
  );
  return {
    label,
    name: nameFor(prefix, label, isLong),
    enabled: !chance.happens(0.1),
    settings,
    budget: chance.pick(BUDGETS),
    ...(rotate && { rotate }),
    isDelivered: chance.happens(0.6),
  };
}

export const nameFor = (prefix: string, label: string, isLong: boolean): string =>
  `${prefix}-${label}${isLong ? `-${'long'.repeat(9)}` : ''}`;

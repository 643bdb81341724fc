/**
 * The differences between servers of the kinds of the family that matter to tests: how an administrator sets them up, and where
 * they have what tests read and edit. Written from their source, without the code of the client.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** A read of an account, and what `data` of the answer shows. */
interface Reading<T> {
  readonly path: string;
  readonly read: (data: unknown) => T;
}

export interface ServerKind {
  /** It starts with an administrator. */
  readonly isSetUp: boolean;
  /** The body that adds a channel. */
  readonly channelBody: (channel: Fields) => object;
  /** Reads all channels again. Omitted: a new one is served immediately. */
  readonly renewPath?: string;
  /** Omitted: models are priced by options. */
  readonly pricePath?: string;
  /** The path that adds to the balance of an account. Omitted: as new-api has it. */
  readonly walletPath?: (userId: number) => string;
  /** More keys than a window of its rate limit admits requests. */
  readonly manyKeys: number;
  /** The keys of an account, at least the first 100. */
  readonly keys: Reading<readonly Fields[]>;
  /** A number that grows with each use of a key. */
  readonly use: Reading<number>;
  /** The record without its list of models. */
  readonly withAnyModel: (record: Fields) => Fields;
  /** The check that proves the allowlist of models. Omitted: `forbidden-model`. */
  readonly modelRule?: 'model-list';
  readonly has: Offers;
}

/** Features that not all kinds have. */
interface Offers {
  readonly videos: boolean;
  /** In entries of the log. */
  readonly requestIds: boolean;
  /** Lists of models are refused to an address that the key does not allow. */
  readonly guardedLists: boolean;
  readonly reveals: boolean;
  /** A search of keys has a path of its own. */
  readonly searches: boolean;
  readonly publicPrices: boolean;
}

const FEWEST: Offers = {
  videos: false,
  requestIds: false,
  guardedLists: false,
  reveals: false,
  searches: true,
  publicPrices: false,
};

const fieldsOf = (data: unknown): Fields => (typeof data === 'object' && data !== null ? (data as Fields) : {});
const listOf = (data: unknown): readonly Fields[] => (Array.isArray(data) ? (data as readonly Fields[]) : []);
const itself = (channel: Fields): object => channel;

const NEW_API_USE = {
  path: '/api/log/self?type=2&p=1&page_size=1',
  read: (data) => Number(fieldsOf(data).total),
} satisfies Reading<number>;

const withoutModelLimits = (record: Fields): Fields => ({ ...record, model_limits_enabled: false });

const ONE_HUB: ServerKind = {
  manyKeys: 320,
  isSetUp: true,
  channelBody: itself,
  pricePath: '/api/prices/single',
  walletPath: (userId) => `/api/user/quota/${userId}`,
  keys: { path: '/api/token/?page=1&size=100', read: (data) => listOf(fieldsOf(data).data) },
  use: { path: '/api/log/self?page=1&size=1', read: (data) => Number(fieldsOf(data).total_count) },
  withAnyModel(record) {
    const setting = fieldsOf(record.setting);
    const limits = { ...fieldsOf(setting.limits), limit_model_setting: { enabled: false, models: [] } };
    return { ...record, setting: { ...setting, limits } };
  },
  has: { ...FEWEST, guardedLists: true, searches: false },
};

const KINDS = {
  'new-api': {
    manyKeys: 200,
    isSetUp: false,
    channelBody: (channel) => ({ mode: 'single', channel }),
    // A server with Redis keeps channels in memory.
    renewPath: '/api/channel/fix',
    keys: { path: '/api/token/?p=1&size=100&page_size=100', read: (data) => listOf(fieldsOf(data).items) },
    use: NEW_API_USE,
    withAnyModel: withoutModelLimits,
    has: { videos: true, requestIds: true, guardedLists: true, reveals: true, searches: true, publicPrices: true },
  },
  Veloera: {
    manyKeys: 200,
    isSetUp: false,
    channelBody: itself,
    keys: { path: '/api/token/?p=0&size=100', read: listOf },
    use: NEW_API_USE,
    withAnyModel: withoutModelLimits,
    has: { ...FEWEST, publicPrices: true },
  },
  'one-api': {
    manyKeys: 260,
    isSetUp: true,
    channelBody: itself,
    // A page has ten keys; a search has all.
    keys: { path: '/api/token/search?keyword=', read: listOf },
    use: { path: '/api/log/self/stat?type=2', read: (data) => Number(fieldsOf(data).quota) },
    withAnyModel: (record) => ({ ...record, models: '' }),
    has: { ...FEWEST, guardedLists: true },
  },
  'one-hub': ONE_HUB,
  'done-hub': { ...ONE_HUB, modelRule: 'model-list', has: { ...ONE_HUB.has, requestIds: true } },
} as const satisfies Readonly<Record<string, ServerKind>>;

export const NEW_API: ServerKind = KINDS['new-api'];

export function kindNamed(name: string): ServerKind {
  const [, found] = Object.entries(KINDS).find(([kind]) => kind === name) ?? [];
  if (found === undefined) throw new Error(`${name} is none of: ${Object.keys(KINDS).join(', ')}`);
  return found;
}

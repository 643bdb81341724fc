import { Fault } from '../../domain/index.ts';
import { LOG_TYPE } from '../../wire/index.ts';
import { logsConsumption, setLogsConsumption } from '../billing/consumption-log.ts';
import type { Catalog } from '../catalog.ts';
import { settingsIn, unknownFields } from '../keys/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ACCESS_TOKEN_LENGTH, type RandomBytes, randomText, SECRET_LENGTH } from '../random.ts';
import { setOverloaded } from '../server/load.ts';
import { type FullSeed, Seed, type SeedKey } from './schema.ts';

const CATALOG = 'catalog';

interface SeedOptions {
  readonly seed: FullSeed;
  readonly random: RandomBytes;
  readonly now: number;
}

/** The value of an omitted field beyond the contract: the zero of the seeded value's type. */
function zeroOf(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : null;
}

/** Collects the fields of these keys that are beyond the contract. */
const extraFieldsOf = (keys: readonly object[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    keys.flatMap((key) => Object.entries(unknownFields(key)).map(([field, value]) => [field, zeroOf(value)])),
  );

/** Adds the forwarded models that the seed does not price. */
function withForwardedModels({ models, upstreams }: FullSeed): FullSeed['models'] {
  const forwarded = upstreams.flatMap((upstream) => upstream.models);
  return { ...Seed.shape.models.parse(Object.fromEntries(forwarded.map((id) => [id, {}]))), ...models };
}

const storeCatalog = (ledger: Ledger, catalog: Catalog): void => ledger.storeValue(CATALOG, catalog);

/**
 * Stores the seed in an empty ledger, all or nothing, and returns the ledger's catalog.
 *
 * A ledger that was seeded before keeps its accounts, access tokens and catalog, and ignores the seed.
 *
 * @throws Fault `usage.invalid` if the seed repeats an ID, an access token or a secret.
 */
export function seedLedger(ledger: Ledger, options: SeedOptions): Catalog {
  return ledger.transact(() => {
    const known = ledger.tryFindValue(CATALOG) as Catalog | undefined;
    // A catalog of an older version lacks some fields.
    if (known) return { ...known, models: Seed.shape.models.parse(known.models), upstreams: known.upstreams ?? [] };
    const { quotaPerUnit, groups, upstreams, limits, keys } = options.seed;
    const models = withForwardedModels(options.seed);
    const catalog: Catalog = { quotaPerUnit, groups, models, upstreams, limits, extraFields: extraFieldsOf(keys) };
    setLogsConsumption(ledger, options.seed.logConsumption);
    setOverloaded({ ledger }, options.seed.overloaded);
    try {
      insertAccounts(ledger, options);
      for (const key of keys) insertKey(ledger, key, { ...options, catalog });
    } catch (cause) {
      if (cause instanceof Fault || !(cause instanceof Error) || !/UNIQUE|FOREIGN/.test(cause.message)) throw cause;
      const problem = /FOREIGN/.test(cause.message)
        ? 'a key belongs to an account that does not exist'
        : 'an ID, an access token or a secret is repeated';
      throw new Fault('usage.invalid', `The seed cannot be used: ${problem}.`, { cause });
    }
    storeCatalog(ledger, catalog);
    return catalog;
  });
}

function insertAccounts(ledger: Ledger, { seed, random }: SeedOptions): void {
  for (const account of seed.accounts) {
    ledger.accounts.insert({
      user_id: account.userId,
      username: account.username ?? `user${account.userId}`,
      access_token: account.accessToken ?? randomText(random, ACCESS_TOKEN_LENGTH),
      group: account.group,
      quota: account.quota,
      banned: account.banned,
      used_quota: usedBy(seed, account.userId),
      request_count: 0,
      groups: account.groups,
      models: account.models,
    });
  }
}

const ownerOf = (seed: FullSeed, key: SeedKey): number => key.user_id ?? seed.accounts[0]?.userId ?? 0;

const usedBy = (seed: FullSeed, userId: number): number =>
  seed.keys.filter((key) => ownerOf(seed, key) === userId).reduce((sum, key) => sum + key.used_quota, 0);

function insertKey(
  ledger: Ledger,
  key: SeedKey,
  { seed, random, now, catalog }: SeedOptions & { catalog: Catalog },
): void {
  const created = key.created_time ?? now;
  const id = ledger.keys.insert({
    ...(key.id === undefined ? {} : { id: key.id }),
    ...settingsIn(key),
    status: key.status,
    used_quota: key.used_quota,
    user_id: ownerOf(seed, key),
    key: (key.key ?? randomText(random, SECRET_LENGTH)).replace(/^sk-/, ''),
    created_time: created,
    accessed_time: key.accessed_time ?? created,
    extra: { ...catalog.extraFields, ...unknownFields(key) },
  });
  if (key.used_quota > 0 && logsConsumption(ledger)) recordPastUsage(ledger, id, created);
}

/** Logs the past usage of a seeded key as one entry, so that log, key and account agree from the beginning. */
function recordPastUsage(ledger: Ledger, id: number, at: number): void {
  const key = ledger.keys.tryFindById(id);
  const account = key && ledger.accounts.tryFind(key.user_id);
  if (!key || !account) return;
  ledger.log.append({
    user_id: account.user_id,
    created_at: at,
    type: LOG_TYPE.consumption,
    content: '',
    username: account.username,
    token_name: key.name,
    model_name: '',
    quota: Number(key.used_quota),
    prompt_tokens: 0,
    completion_tokens: 0,
    use_time: 0,
    is_stream: false,
    channel: 1,
    channel_name: '',
    token_id: id,
    group: key.group || account.group,
    ip: '',
    request_id: `seed-${id}`,
    other: '{}',
  });
}

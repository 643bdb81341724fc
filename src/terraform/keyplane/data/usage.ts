import {
  type Decimal,
  type ObservedKey,
  type Quota,
  quota,
  renderInstant,
  tryParseInstant,
  type UnixSeconds,
  usdFromQuota,
} from '../../../domain/index.ts';
import { type NumberValue, numberFrom, type ObjectValue, type Value } from '../../codec/value.ts';
import type { DataSource } from '../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { findKeyById } from '../find-key.ts';

const MICRO = 6;

/** A page has a hundred entries. */
const MOST_PAGES = 200;

const NOT_AN_INSTANT: DiagnosticContent = {
  summary: '`since` is not a time with its offset',
  detail: 'Write it like `2027-03-01T00:00:00Z`.',
};

const usdOf = (units: Quota, rate: Decimal): NumberValue =>
  numberFrom(usdFromQuota(units, rate, MICRO).replace(/\.?0+$/, ''));

/** What one key took since an instant. */
interface Spender {
  /** Absent: the gateway does not tell, and no key has that name now. */
  readonly id: number | undefined;
  readonly name: string;
  units: number;
  entries: number;
}

function tooLong(since: UnixSeconds, oldest: UnixSeconds): DiagnosticError {
  const hours = Math.round((oldest - since) / 360) / 10;
  return new DiagnosticError({
    summary: `The newest ${MOST_PAGES} pages of the usage log do not reach back to \`since\``,
    detail: `${hours} h of it are missing. Ask for an instant after ${renderInstant(oldest)}.`,
    path: ['since'],
  });
}

/** The log, newest first, back to an instant. @throws DiagnosticError when it is too long to be read at each plan */
async function spendersSince(since: UnixSeconds, keys: readonly ObservedKey[], { store }: Client) {
  const idOf = new Map(keys.map(({ name, id }) => [name, id]));
  const found = new Map<string, Spender>();
  let [pages, oldest] = [0, Number.POSITIVE_INFINITY];
  for await (const page of store.usage()) {
    // Only another page shows that the last one allowed was not the end.
    if (pages === MOST_PAGES) throw tooLong(since, oldest);
    pages += 1;
    for (const { at, keyId, keyName: name, spent } of page) {
      oldest = Math.min(oldest, at);
      if (at < since) continue;
      const id = keyId ?? idOf.get(name);
      const spender = found.get(String(id ?? name)) ?? { id, name, units: 0, entries: 0 };
      found.set(String(id ?? name), spender);
      spender.units += spent;
      spender.entries += 1;
    }
    if (oldest < since) break;
  }
  return [...found.values()].sort((a, b) => b.units - a.units || a.name.localeCompare(b.name, 'en'));
}

const spenderValue = ({ id, name, units, entries }: Spender, rate: Decimal): ObjectValue => ({
  id: id ?? null,
  name,
  spent_quota: units,
  spent_usd: usdOf(quota(units), rate),
  entries,
});

const NOTHING_SINCE = { spent_quota: null, spent_usd: null, keys: null } as const;

/** What was spent since an instant, by all keys or by one. */
async function spentSince(config: ObjectValue, rate: Decimal, client: Client): Promise<ObjectValue> {
  const { since = null, key_id: keyId = null } = config;
  if (since === null && keyId === null) return NOTHING_SINCE;
  if (typeof since !== 'string') {
    throw new DiagnosticError({
      summary: '`key_id` needs `since`',
      detail: 'What a key ever used is the `used_quota` of the data source `keyplane_api_key`.',
      path: ['key_id'],
    });
  }
  const from = tryParseInstant(since);
  if (from === undefined) throw new DiagnosticError({ ...NOT_AN_INSTANT, path: ['since'] });
  const only = keyId === null ? undefined : await findKeyById(keyId, client);
  const spenders = await spendersSince(from, await client.store.listed(), client);
  const meant = only ? spenders.filter(({ id }) => id === only.id) : spenders;
  const all = quota(meant.reduce((sum, { units }) => sum + units, 0));
  return {
    spent_quota: all,
    spent_usd: usdOf(all, rate),
    keys: meant.map((spender) => spenderValue(spender, rate)),
  };
}

const told = (value: number | undefined): Value => value ?? null;

/** What was consumed. */
export const USAGE: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'What the account has consumed: in all, and by key since an instant.',
    attributes: {
      since: {
        type: 'string',
        set: 'optional',
        description:
          'What was spent since then is told too (RFC 3339 with offset). ' +
          `The usage log is read for it, its newest ${MOST_PAGES} pages of a hundred entries at the most.`,
        check: (value) => (tryParseInstant(String(value)) === undefined ? [NOT_AN_INSTANT] : []),
      },
      key_id: { type: 'number', set: 'optional', description: 'Only what this key spent since then.' },
      consumed_quota: {
        type: 'number',
        set: 'computed',
        description: 'Quota units that the account consumed in all its life.',
      },
      consumed_usd: { type: 'number', set: 'computed', description: 'The same in dollars, to six decimals.' },
      rpm: { type: 'number', set: 'computed', description: 'Requests a minute, where the gateway tells.' },
      tpm: { type: 'number', set: 'computed', description: 'Tokens a minute, where the gateway tells.' },
      spent_quota: {
        type: 'number',
        set: 'computed',
        description: 'Quota units spent since `since`; null without it.',
      },
      spent_usd: { type: 'number', set: 'computed', description: 'The same in dollars, to six decimals.' },
      keys: {
        type: [
          'list',
          ['object', { id: 'number', name: 'string', spent_quota: 'number', spent_usd: 'number', entries: 'number' }],
        ],
        set: 'computed',
        description:
          'Who spent it, from the most: each with how many `entries` of the log are its own. ' +
          'The `id` is null where the log does not tell it and no key has that name.',
      },
    },
  },
  async read(config, { client }) {
    const { since = null, key_id: keyId = null } = config;
    const rate = await client.store.quotaPerUnit();
    const [statistics, spent] = await Promise.all([
      client.gateway.system.usageStatistics(),
      spentSince(config, rate, client),
    ]);
    return {
      since,
      key_id: keyId,
      consumed_quota: statistics.quota,
      consumed_usd: usdOf(statistics.quota, rate),
      rpm: told(statistics.rpm),
      tpm: told(statistics.tpm),
      ...spent,
    };
  },
};

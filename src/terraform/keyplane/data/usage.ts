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
import { numberFrom, type TerraformNumber, type TerraformObject } from '../../codec/value.ts';
import type { DataSource } from '../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { findKeyById, idErrors } from '../find-key.ts';

const MICRO = 6;

/** A page has a hundred entries. */
const MOST_PAGES = 200;

const INVALID_SINCE: DiagnosticContent = {
  summary: '`since` is not a time with an offset',
  detail: 'Expected a time such as `2027-03-01T00:00:00Z`.',
};

const usdOf = (units: Quota, rate: Decimal): TerraformNumber =>
  numberFrom(usdFromQuota(units, rate, MICRO).replace(/\.?0+$/, ''));

/** The spending of one key since an instant. */
interface Spending {
  /** Undefined when the gateway does not report it and no key has that name now. */
  readonly id: number | undefined;
  readonly name: string;
  units: number;
  entries: number;
}

function logTooLong(since: UnixSeconds, oldest: UnixSeconds): DiagnosticError {
  const hours = Math.round((oldest - since) / 360) / 10;
  return new DiagnosticError({
    summary: `The newest ${MOST_PAGES} pages of the usage log do not reach back to \`since\``,
    detail: `${hours} h are missing. Use a time after ${renderInstant(oldest)}.`,
    path: ['since'],
  });
}

/** Sums up the log back to an instant. @throws DiagnosticError when the log is too long to be read at each plan */
async function spendingsSince(since: UnixSeconds, keys: readonly ObservedKey[], { store }: Client) {
  const idOf = new Map(keys.map(({ name, id }) => [name, id]));
  const found = new Map<string, Spending>();
  let [pages, oldest] = [0, Number.POSITIVE_INFINITY];
  for await (const page of store.usage()) {
    // Only a further page shows that the log does not end at the limit.
    if (pages === MOST_PAGES) throw logTooLong(since, oldest);
    pages += 1;
    for (const { at, keyId, keyName: name, spent, isOther = false } of page) {
      oldest = Math.min(oldest, at);
      if (at < since || isOther) continue;
      const id = keyId ?? idOf.get(name);
      const spending = found.get(String(id ?? name)) ?? { id, name, units: 0, entries: 0 };
      found.set(String(id ?? name), spending);
      spending.units += spent;
      spending.entries += 1;
    }
    if (oldest < since) break;
  }
  return [...found.values()].sort((a, b) => b.units - a.units || a.name.localeCompare(b.name, 'en'));
}

const encodeSpending = ({ id, name, units, entries }: Spending, rate: Decimal): TerraformObject => ({
  id: id ?? null,
  name,
  spent_quota: units,
  spent_usd: usdOf(quota(units), rate),
  entries,
});

const NO_SPENDING = { spent_quota: null, spent_usd: null, keys: null } as const;

/** The spending since an instant, of all keys or of one. */
async function spendingSince(config: TerraformObject, rate: Decimal, client: Client): Promise<TerraformObject> {
  const { since = null, key_id: keyId = null } = config;
  if (since === null && keyId === null) return NO_SPENDING;
  if (typeof since !== 'string') {
    throw new DiagnosticError({
      summary: '`key_id` requires `since`',
      detail: 'The data source `keyplane_api_key` has the total of a key as `used_quota`.',
      path: ['key_id'],
    });
  }
  const from = tryParseInstant(since);
  if (from === undefined) throw new DiagnosticError({ ...INVALID_SINCE, path: ['since'] });
  const only = keyId === null ? undefined : await findKeyById(keyId, client);
  const spendings = await spendingsSince(from, await client.store.list(), client);
  const selected = only ? spendings.filter(({ id }) => id === only.id) : spendings;
  const all = quota(selected.reduce((sum, { units }) => sum + units, 0));
  return {
    spent_quota: all,
    spent_usd: usdOf(all, rate),
    keys: selected.map((spending) => encodeSpending(spending, rate)),
  };
}

export const USAGE: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'The consumption of the account: in total, and by key since a point in time.',
    attributes: {
      since: {
        type: 'string',
        set: 'optional',
        description:
          'Also returns the spending since this time (RFC 3339 with offset). ' +
          `Reads at most the newest ${MOST_PAGES} pages of the usage log, of a hundred entries each.`,
        check: (value) => (tryParseInstant(String(value)) === undefined ? [INVALID_SINCE] : []),
      },
      key_id: {
        type: 'number',
        set: 'optional',
        description: 'Only the spending of this key since then.',
        check: idErrors,
      },
      consumed_quota: {
        type: 'number',
        set: 'computed',
        description: 'Quota units that the account has consumed in total.',
      },
      consumed_usd: { type: 'number', set: 'computed', description: 'The same in dollars, to six decimals.' },
      rpm: {
        type: 'number',
        set: 'computed',
        description: 'Requests per minute; null where the gateway does not report it.',
      },
      tpm: {
        type: 'number',
        set: 'computed',
        description: 'Tokens per minute; null where the gateway does not report it.',
      },
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
          'The keys that spent it, highest spending first, each with its number of log `entries`: consumption less refunds. ' +
          'The `id` is null where the log does not report it and no key has that name.',
      },
    },
  },
  async read(config, { client }) {
    const { since = null, key_id: keyId = null } = config;
    const rate = await client.store.quotaPerUnit();
    const [statistics, spent] = await Promise.all([
      client.gateway.system.usageStatistics(),
      spendingSince(config, rate, client),
    ]);
    return {
      since,
      key_id: keyId,
      consumed_quota: statistics.quota,
      consumed_usd: usdOf(statistics.quota, rate),
      rpm: statistics.rpm ?? null,
      tpm: statistics.tpm ?? null,
      ...spent,
    };
  },
};

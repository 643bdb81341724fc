import { effectiveStatus, matchesGlob, type ObservedKey } from '../../../domain/index.ts';
import type { ObjectValue, Value } from '../../codec/value.ts';
import type { DataSource } from '../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../provider/diagnostics.ts';
import type { AttributeTable } from '../../provider/schema.ts';
import type { Client } from '../client.ts';
import { findKey, ID_OR_NAME, idOrNameProblems } from '../find-key.ts';
import { LIVE_KEY, liveKeyValue } from './live-key.ts';

const STATUSES = ['enabled', 'disabled', 'expired', 'exhausted'];

const textIn = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

function statusProblems(status: Value): readonly DiagnosticContent[] {
  if (STATUSES.includes(String(status))) return [];
  return [{ summary: `There is no status ${JSON.stringify(status)}`, detail: `A key is ${STATUSES.join(', ')}.` }];
}

/** Which keys are meant. What is not given lets all through. */
export function filterOf({ name, status, group }: ObjectValue, { now }: Client): (key: ObservedKey) => boolean {
  const [glob, wanted, ofGroup] = [textIn(name), textIn(status), textIn(group)];
  const [problem] = wanted === undefined ? [] : statusProblems(wanted);
  // Of what was not known when it was judged.
  if (problem) throw new DiagnosticError({ ...problem, path: ['status'] });
  return (key) =>
    (glob === undefined || matchesGlob(glob, key.name)) &&
    (wanted === undefined || effectiveStatus(key, now()) === wanted) &&
    (ofGroup === undefined || key.group === ofGroup);
}

/** What narrows a search for keys. */
export const FILTER: AttributeTable = {
  name: { type: 'string', set: 'optional', description: 'Only keys of this name; `*` and `?` are wild.' },
  status: {
    type: 'string',
    set: 'optional',
    description: 'Only keys that really are `enabled`, `disabled`, `expired` or `exhausted`, whatever is stored.',
    check: statusProblems,
  },
  group: { type: 'string', set: 'optional', description: 'Only keys of this group.' },
};

/** Many keys. */
export const API_KEYS: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'Keys of the account, without their secrets.',
    attributes: {
      ...FILTER,
      keys: { type: ['list', ['object', LIVE_KEY]], set: 'computed', description: 'The keys, by id.' },
    },
  },
  async read(config, { client }) {
    const isMeant = filterOf(config, client);
    const keys = (await client.store.listed()).filter(isMeant).sort((a, b) => a.id - b.id);
    return { ...config, keys: keys.map((key) => liveKeyValue(key, client.now())) };
  },
};

const SAYS: Readonly<Record<string, string>> = {
  status: 'What it really is now: `enabled`, `disabled`, `expired` or `exhausted`.',
  stored_status: 'What the gateway has stored, which may be late.',
  group: 'Its group; null: the account’s own.',
  cross_group_retry: 'Are other groups tried when this one fails?',
  models: 'Models that it may use, or only `any`; empty: it refuses every model.',
  allow_ips: 'Address rules, or only `anywhere`.',
  expires_at: 'When it expires (RFC 3339), or `never`.',
  unlimited: 'Has it no ceiling?',
  remaining_quota: 'Quota units that it may still spend; null: no ceiling.',
  used_quota: 'Quota units that it ever used; null where the gateway does not tell.',
  masked_key: 'The credential as the gateway shows it. Never an identity.',
};

/** One key, which there must be. */
export const API_KEY: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'One key, by its id or by its name, without its secret.',
    attributes: {
      ...ID_OR_NAME,
      ...Object.fromEntries(
        Object.entries(LIVE_KEY)
          .filter(([attribute]) => !Object.hasOwn(ID_OR_NAME, attribute))
          .map(([attribute, type]) => [
            attribute,
            { type, set: 'computed' as const, description: SAYS[attribute] ?? '' },
          ]),
      ),
    },
    check: idOrNameProblems,
  },
  async read(config, { client }) {
    return liveKeyValue(await findKey(config, client), client.now());
  },
};

import { effectiveStatus, matchesGlob, type ObservedKey } from '../../../domain/index.ts';
import type { TerraformObject, TerraformValue } from '../../codec/value.ts';
import type { DataSource } from '../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../provider/diagnostics.ts';
import type { AttributeTable } from '../../provider/schema.ts';
import type { Client } from '../client.ts';
import { findKey, ID_OR_NAME, idOrNameErrors } from '../find-key.ts';
import { encodeLiveKey, LIVE_KEY_ATTRIBUTES, LIVE_KEY_TYPES } from './live-key.ts';

const STATUSES = ['enabled', 'disabled', 'expired', 'exhausted'];

const textIn = (value: TerraformValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function statusErrors(status: TerraformValue): readonly DiagnosticContent[] {
  if (STATUSES.includes(String(status))) return [];
  return [{ summary: `Invalid status ${JSON.stringify(status)}`, detail: `Expected one of ${STATUSES.join(', ')}.` }];
}

/** Builds the predicate of a search. Omitted arguments match every key. @throws DiagnosticError */
export function parseFilter({ name, status, group }: TerraformObject, { now }: Client): (key: ObservedKey) => boolean {
  const [glob, wantedStatus, wantedGroup] = [textIn(name), textIn(status), textIn(group)];
  const [error] = wantedStatus === undefined ? [] : statusErrors(wantedStatus);
  // A status that was unknown during validation.
  if (error) throw new DiagnosticError({ ...error, path: ['status'] });
  return (key) =>
    (glob === undefined || matchesGlob(glob, key.name)) &&
    (wantedStatus === undefined || effectiveStatus(key, now()) === wantedStatus) &&
    (wantedGroup === undefined || key.group === wantedGroup);
}

/** The arguments of a search for keys. */
export const FILTER: AttributeTable = {
  name: { type: 'string', set: 'optional', description: 'Only keys with this name; `*` and `?` are wildcards.' },
  status: {
    type: 'string',
    set: 'optional',
    description:
      'Only keys with this effective status: `enabled`, `disabled`, `expired` or `exhausted`, whatever is stored.',
    check: statusErrors,
  },
  group: { type: 'string', set: 'optional', description: 'Only keys of this group.' },
};

const liveContext = async ({ store, now }: Client) => ({ now: now(), quotaPerUnit: await store.quotaPerUnit() });

export const API_KEYS: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'Keys of the account, without their secrets.',
    attributes: {
      ...FILTER,
      ids: { type: ['list', 'number'], set: 'computed', description: 'The IDs of the keys, sorted.' },
      names: {
        type: ['list', 'string'],
        set: 'computed',
        description: 'The names of the keys, in the order of `ids`.',
      },
      keys: { type: ['list', ['object', LIVE_KEY_TYPES]], set: 'computed', description: 'The keys, sorted by ID.' },
    },
  },
  async read(config, { client }) {
    const matches = parseFilter(config, client);
    const keys = (await client.store.list()).filter(matches).sort((a, b) => a.id - b.id);
    const context = await liveContext(client);
    return {
      ...config,
      ids: keys.map(({ id }) => id),
      names: keys.map(({ name }) => name),
      keys: keys.map((key) => encodeLiveKey(key, context)),
    };
  },
};

export const API_KEY: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'One key, by its ID or by its name, without its secret. The key must exist.',
    attributes: { ...LIVE_KEY_ATTRIBUTES, ...ID_OR_NAME },
    check: idOrNameErrors,
  },
  async read(config, { client }) {
    return encodeLiveKey(await findKey(config, client), await liveContext(client));
  },
};

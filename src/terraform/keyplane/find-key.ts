import type { ObservedKey, Secret } from '../../domain/index.ts';
import { underDeclaredNames } from '../../reconcile/index.ts';
import { isUnknown, type TerraformObject, type TerraformValue } from '../codec/value.ts';
import { type DiagnosticContent, DiagnosticError } from '../provider/diagnostics.ts';
import type { AttributeTable } from '../provider/schema.ts';
import type { Client } from './client.ts';

/** Rejects an ID that no key can have. */
export const idErrors = (value: TerraformValue): readonly DiagnosticContent[] =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? []
    : [{ summary: 'Invalid key ID', detail: 'Expected a whole number above 0.' }];

/** The arguments that identify one key. */
export const ID_OR_NAME: AttributeTable = {
  id: {
    type: 'number',
    set: 'optional or computed',
    description: 'Its ID. Set either this or `name`.',
    check: idErrors,
  },
  name: { type: 'string', set: 'optional or computed', description: 'Its exact name. Set either this or `id`.' },
};

const given = (value: TerraformValue): boolean => value !== null && !isUnknown(value);

/** Requires exactly one of the two. */
export function idOrNameErrors({ id = null, name = null }: TerraformObject): readonly DiagnosticContent[] {
  const isNone = id === null && name === null;
  if (!isNone && !(given(id) && given(name))) return [];
  return [{ summary: 'Set either `id` or `name`', path: [isNone ? 'name' : 'id'] }];
}

/** Finds the key with an ID or a name. @throws DiagnosticError when there is none, or several */
export async function findKey({ id = null, name = null }: TerraformObject, { store }: Client): Promise<ObservedKey> {
  const errors = idOrNameErrors({ id, name });
  if (errors.length > 0) throw new DiagnosticError(...errors);
  const path = [id === null ? 'name' : 'id'];
  const asked = id === null ? `named ${JSON.stringify(name)}` : `with the id ${id}`;
  const keys = await store.list();
  // The latest generation of a key that rotates has the name of its resource.
  const known = id === null && typeof name === 'string' ? underDeclaredNames([name], keys) : keys;
  const [found, ...others] = known.filter((key) => (id === null ? key.name === name : key.id === id));
  if (found === undefined) throw new DiagnosticError({ summary: `There is no key ${asked}`, path });
  if (others.length === 0) return found;
  const ids = [found, ...others].map((key) => key.id).join(', ');
  throw new DiagnosticError({ summary: `Several keys are ${asked}`, detail: `Their IDs: ${ids}.`, path });
}

/** Finds the key of an attribute `key_id`. @throws DiagnosticError */
export async function findKeyById(id: TerraformValue, { store }: Client): Promise<ObservedKey> {
  const found = (await store.list()).find((key) => key.id === id);
  if (found) return found;
  throw new DiagnosticError({ summary: `There is no key with the id ${id}`, path: ['key_id'] });
}

/** @param path the attribute that identified the key @throws DiagnosticError when the gateway does not reveal it */
export async function credentialOf({ id, name }: ObservedKey, { store }: Client, path: string): Promise<Secret> {
  const secret = (await store.reveal([id])).get(id);
  if (secret) return secret;
  throw new DiagnosticError({
    summary: `The gateway does not reveal the key ${JSON.stringify(name)} (id ${id})`,
    detail: 'It was deleted meanwhile, or the access token may not read it.',
    path: [path],
  });
}

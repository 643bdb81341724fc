import type { ObservedKey, Secret } from '../../domain/index.ts';
import { isUnknown, type ObjectValue, type Value } from '../codec/value.ts';
import { type DiagnosticContent, DiagnosticError } from '../provider/diagnostics.ts';
import type { AttributeTable } from '../provider/schema.ts';
import type { Client } from './client.ts';

/** By what one key is named. */
export const ID_OR_NAME: AttributeTable = {
  id: { type: 'number', set: 'optional or computed', description: 'Its id. Either this or `name`.' },
  name: { type: 'string', set: 'optional or computed', description: 'Its exact name. Either this or `id`.' },
};

const given = (value: Value): boolean => value !== null && !isUnknown(value);

/** Either of them says which key is meant, and not both. */
export function idOrNameProblems({ id = null, name = null }: ObjectValue): readonly DiagnosticContent[] {
  const isNone = id === null && name === null;
  if (!isNone && !(given(id) && given(name))) return [];
  return [{ summary: 'Either `id` or `name` says which key is meant', path: [isNone ? 'name' : 'id'] }];
}

/** The one key that `id` or `name` means. @throws DiagnosticError at the attribute that means none, or several */
export async function findKey({ id = null, name = null }: ObjectValue, { store }: Client): Promise<ObservedKey> {
  const problems = idOrNameProblems({ id, name });
  if (problems.length > 0) throw new DiagnosticError(...problems);
  const path = [id === null ? 'name' : 'id'];
  const asked = id === null ? `named ${JSON.stringify(name)}` : `with the id ${id}`;
  const [found, ...others] = (await store.listed()).filter((key) => (id === null ? key.name === name : key.id === id));
  if (found === undefined) throw new DiagnosticError({ summary: `There is no key ${asked}`, path });
  if (others.length === 0) return found;
  const ids = [found, ...others].map((key) => key.id).join(', ');
  throw new DiagnosticError({ summary: `Several keys are ${asked}`, detail: `Their ids: ${ids}.`, path });
}

/** The key that an attribute `key_id` names. @throws DiagnosticError */
export async function findKeyById(id: Value, { store }: Client): Promise<ObservedKey> {
  const found = (await store.listed()).find((key) => key.id === id);
  if (found) return found;
  throw new DiagnosticError({ summary: `There is no key with the id ${id}`, path: ['key_id'] });
}

/** @param path where the key was named @throws DiagnosticError when the gateway does not tell it */
export async function credentialOf({ id, name }: ObservedKey, { store }: Client, path: string): Promise<Secret> {
  const secret = (await store.reveal([id])).get(id);
  if (secret) return secret;
  throw new DiagnosticError({
    summary: `The gateway does not reveal the key ${JSON.stringify(name)} (id ${id})`,
    detail: 'It was deleted meanwhile, or the access token may not see it.',
    path: [path],
  });
}

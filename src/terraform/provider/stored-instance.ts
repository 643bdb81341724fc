import type { Decode } from '../codec/msgpack.ts';
import { valueFromState } from '../codec/state-json.ts';
import type { TerraformValue, ValueType } from '../codec/value.ts';
import { ValueError } from '../codec/value-error.ts';
import type { Resource, ResourceInstance } from './definition.ts';
import { DiagnosticError } from './diagnostics.ts';
import { typeOf } from './schema.ts';
import { type Bytes, tryReadObject } from './session.ts';

/** The parts of a resource that core stores. People edit the state, and files are cut off: none of it is certain to be whole. */

/** Nothing is done with an object of which a part cannot be read: the rest might name another one. */
const damaged = (problem: string): DiagnosticError =>
  new DiagnosticError({
    summary: `The state of this resource is damaged (${problem})`,
    detail:
      'Nothing was changed. Restore the state from a backup. Without one, remove the resource from the state with `terraform state rm`, which deletes nothing else, and import it again.',
  });

export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

/** Undefined for a text that is not JSON. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isPrivate = (data: unknown): data is NonNullable<ResourceInstance['private']> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** @throws DiagnosticError when it is damaged */
function parsePrivate(bytes: Uint8Array): Pick<ResourceInstance, 'private'> {
  if (bytes.length === 0) return {};
  const data = tryParseJson(textOf(bytes));
  if (!isPrivate(data)) throw damaged('private: not an object in JSON');
  return { private: data };
}

export const privateBytes = ({ private: data }: ResourceInstance): Uint8Array =>
  data === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(data));

interface StoredInstance {
  readonly state: Bytes;
  readonly private: Uint8Array;
}

/** Undefined where nothing is stored. @throws DiagnosticError when it is damaged */
export function tryReadInstance<C>(
  { schema, damageOf }: Pick<Resource<C>, 'schema' | 'damageOf'>,
  stored: StoredInstance,
  decode?: Decode,
): ResourceInstance | undefined {
  const state = tryReadObject(stored.state, typeOf(schema), decode);
  if (state === undefined) return undefined;
  const instance = { state, ...parsePrivate(stored.private) };
  const problem = damageOf?.(instance);
  if (problem !== undefined) throw damaged(problem);
  return instance;
}

/** Decodes a state or an identity as core stores it, JSON. @throws DiagnosticError when it is damaged */
export function storedValue(text: string, type: ValueType): TerraformValue {
  try {
    return valueFromState(text, type);
  } catch (thrown) {
    throw thrown instanceof ValueError ? damaged(thrown.message) : thrown;
  }
}

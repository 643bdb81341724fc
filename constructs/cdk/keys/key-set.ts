import { Construct } from 'constructs';
import { ApiKey, type ApiKeyProps, type KeyHandling } from '../key/api-key.ts';
import type { KeyFields } from '../key/key-fields.ts';
import { SHARED_PROPS } from '../key/validate-key.ts';
import { checkProps, checkReferences, constructError } from '../stack/refusal.ts';
import { given } from '../values/given.ts';
import { isRecord, kindOf, unknownFields, within } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { idOf } from './construct-id.ts';
import { moveFromId } from './moved.ts';

/** One key of a set; the name of its entry is its name. */
export type KeySetEntry = Omit<ApiKeyProps, 'name' | 'provider' | 'forEach'>;

/** The keys of a set and the fields that they share. */
export interface KeySetProps extends Pick<KeyHandling, 'provider'> {
  /** Fields of every key that does not set them itself. */
  readonly defaults?: KeyFields;
  /** The keys, by name. An entry with a new name is another key, unless it has `renamedFrom`. */
  readonly keys: { readonly [name: string]: KeySetEntry };
}

function defaultsError(defaults: unknown): string | undefined {
  if (!isRecord(defaults)) return `Expected an object, got ${kindOf(defaults)}.`;
  // Each key would report it.
  return unknownFields(defaults, SHARED_PROPS)[0];
}

function errorOf(props: KeySetProps): string | undefined {
  const [unknown] = unknownFields(props, ['defaults', 'keys', 'provider']);
  if (unknown !== undefined) return unknown;
  const { defaults = {}, keys } = props;
  const problem = defaultsError(defaults);
  if (problem !== undefined) return within('defaults', problem);
  if (isUnresolved(keys)) return '`keys`: Only Terraform knows the keys. Use `forEach` of `ApiKey`.';
  if (!isRecord(keys)) return `\`keys\`: Expected an object of keys by name, got ${kindOf(keys)}.`;
  for (const [name, entry] of Object.entries(keys)) {
    if (!isRecord(entry))
      return `\`keys\`: Expected an object of fields for ${JSON.stringify(name)}, got ${kindOf(entry)}.`;
    if ('name' in entry)
      return `\`keys\`: ${JSON.stringify(name)} must not have a \`name\`: the name of its entry is its name.`;
    const { renamedFrom } = entry;
    if (typeof renamedFrom === 'string' && Object.hasOwn(keys, renamedFrom)) {
      return `\`keys\`: ${JSON.stringify(renamedFrom)} must not exist while ${JSON.stringify(name)} is renamed from it.`;
    }
  }
  return undefined;
}

/**
 * Many keys with shared fields. The IDs of their constructs are their names, so that their order does not matter. A renamed
 * key moves to its new ID, and keeps its secret.
 *
 * @throws Error with the path of the construct, when the set is ambiguous
 */
export class KeySet extends Construct {
  /** The keys, by name. */
  public readonly keys: ReadonlyMap<string, ApiKey>;

  public constructor(scope: Construct, id: string, props: KeySetProps) {
    super(scope, id);
    checkProps(this, props);
    checkReferences(this, props);
    const error = errorOf(props);
    if (error !== undefined) throw constructError(this, error);
    const { defaults = {}, keys, provider } = props;
    const shared = { ...defaults, ...(provider ? { provider } : {}) };
    this.keys = new Map(
      Object.entries(keys).map(([name, own]) => [
        name,
        new ApiKey(this, idOf(name), { ...shared, ...given(own), name }),
      ]),
    );
    for (const [name, { renamedFrom }] of Object.entries(keys)) {
      if (typeof renamedFrom === 'string') moveFromId(this.get(name), idOf(renamedFrom));
    }
  }

  /** @throws Error when the set has no key of that name */
  public get(name: string): ApiKey {
    const key = this.keys.get(name);
    if (key) return key;
    throw constructError(
      this,
      `There is no key ${JSON.stringify(name)}: there are ${[...this.keys.keys()].join(', ')}.`,
    );
  }
}

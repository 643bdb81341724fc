import { Construct } from 'constructs';
import { ApiKey, type ApiKeyProps, type KeyHandling } from '../key/api-key.ts';
import type { KeyFields } from '../key/key-fields.ts';
import { checkProps, refusal } from '../stack/refusal.ts';
import { given } from '../values/given.ts';
import { isRecord, kindOf, unknownFields } from '../values/shape.ts';
import { idOf } from './construct-id.ts';
import { moveFromId } from './moved.ts';

/** One key of a set; its name is that of its entry. */
export type KeySetEntry = Omit<ApiKeyProps, 'name' | 'provider'>;

/** Keys that have something in common. */
export interface KeySetProps extends Pick<KeyHandling, 'provider'> {
  /** Fields that keys take over when they do not have them. */
  readonly defaults?: KeyFields;
  /** The keys, by name. An entry that is called otherwise is another key, unless it says `renamedFrom`. */
  readonly keys: { readonly [name: string]: KeySetEntry };
}

function problemOf(props: KeySetProps): string | undefined {
  const [unknown] = unknownFields(props, ['defaults', 'keys', 'provider']);
  if (unknown !== undefined) return unknown;
  const { defaults = {}, keys } = props;
  if (!isRecord(defaults)) return `\`defaults\`: An object is wanted, not ${kindOf(defaults)}.`;
  if (!isRecord(keys)) return `\`keys\`: An object of keys by name is wanted, not ${kindOf(keys)}.`;
  for (const [name, entry] of Object.entries(keys)) {
    if (!isRecord(entry))
      return `\`keys\`: The key ${JSON.stringify(name)} is an object of fields, not ${kindOf(entry)}.`;
    if ('name' in entry) return `\`keys\`: The name of ${JSON.stringify(name)} is that of its entry.`;
    const { renamedFrom } = entry;
    if (typeof renamedFrom === 'string' && Object.hasOwn(keys, renamedFrom)) {
      return `\`keys\`: ${JSON.stringify(renamedFrom)} can not be there while ${JSON.stringify(name)} is renamed from it.`;
    }
  }
  return undefined;
}

/**
 * Many keys with shared fields. Their constructs are called by their names: in whatever order they stand, they stay the
 * same. A key that is renamed moves to its new id, and keeps its secret.
 *
 * @throws Error with the path of the construct, when it can not be told which keys are meant
 */
export class KeySet extends Construct {
  /** The keys, by name. */
  public readonly keys: ReadonlyMap<string, ApiKey>;

  public constructor(scope: Construct, id: string, props: KeySetProps) {
    super(scope, id);
    checkProps(this, props);
    const problem = problemOf(props);
    if (problem !== undefined) throw refusal(this, problem);
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

  /** @throws Error when no key of the set has the name */
  public get(name: string): ApiKey {
    const key = this.keys.get(name);
    if (key) return key;
    throw refusal(this, `There is no key ${JSON.stringify(name)}: there are ${[...this.keys.keys()].join(', ')}.`);
  }
}

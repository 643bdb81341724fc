import { Construct } from 'constructs';
import { ApiKey, type ApiKeyProps, type KeyHandling } from './api-key.ts';
import { given } from './given.ts';
import type { KeyFields } from './key-fields.ts';

/** One key of a set; its name is that of its entry. */
export type KeySetEntry = Omit<ApiKeyProps, 'name' | 'provider'>;

/** Keys that have something in common. */
export interface KeySetProps extends Pick<KeyHandling, 'provider'> {
  /** Fields that keys take over when they do not have them. */
  readonly defaults?: KeyFields;
  /** The keys, by name. */
  readonly keys: { readonly [name: string]: KeySetEntry };
}

/** Ids of constructs hold no slash. A percent sign stands for itself, so that two names never become one id. */
const idOf = (name: string): string => name.replace(/[%/]/g, (sign) => (sign === '/' ? '%2F' : '%25'));

/** Many keys with shared fields. Their constructs are called by their names: in whatever order they stand, they stay the same. */
export class KeySet extends Construct {
  /** The keys, by name. */
  public readonly keys: ReadonlyMap<string, ApiKey>;

  public constructor(scope: Construct, id: string, { defaults = {}, keys, provider }: KeySetProps) {
    super(scope, id);
    const shared = { ...defaults, ...(provider === undefined ? {} : { provider }) };
    this.keys = new Map(
      Object.entries(keys).map(([name, own]) => [
        name,
        new ApiKey(this, idOf(name), { ...shared, ...given(own), name }),
      ]),
    );
  }

  /** @throws Error when no key of the set has the name */
  public get(name: string): ApiKey {
    const key = this.keys.get(name);
    if (key) return key;
    throw new Error(`${this.node.path} has no key ${JSON.stringify(name)}: it has ${[...this.keys.keys()].join(', ')}`);
  }
}

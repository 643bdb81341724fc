import { createHash } from 'node:crypto';

const hashOf = (name: string, length: number): string =>
  createHash('sha256').update(name).digest('hex').slice(0, length);

/** The length of a hash; two names of one manifest hardly ever share one. */
const SHORT = 6;

export interface Naming {
  /** Keeps the characters of a name that are allowed; may return an empty string. */
  readonly shape: (name: string) => string;
  /** Adds the hash that makes a name unique. */
  readonly withHash: (shaped: string, hash: string) => string;
  /** Names with another meaning. */
  readonly taken?: ReadonlySet<string>;
}

/**
 * Assigns a unique local name to each name, independent of their order. When several names share a shape, or have none,
 * the name that equals the shape keeps it, and the others get a short hash.
 */
export function localNames(names: readonly string[], { shape, withHash, taken }: Naming): ReadonlyMap<string, string> {
  const shaped = new Map(names.map((name) => [name, shape(name)] as const));
  const counts = new Map<string, number>();
  for (const text of shaped.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
  const isOwn = (name: string, text: string): boolean =>
    text !== '' && !taken?.has(text) && (text === name || counts.get(text) === 1);
  const local = new Map([...shaped].filter(([name, text]) => isOwn(name, text)));
  const used = new Set([...local.values(), ...(taken ?? [])]);
  for (const name of [...shaped.keys()].sort()) {
    if (local.has(name)) continue;
    let length = SHORT;
    const candidate = (): string => withHash(shaped.get(name) ?? '', hashOf(name, length));
    while (used.has(candidate())) length += 1;
    used.add(candidate());
    local.set(name, candidate());
  }
  return new Map(names.map((name) => [name, local.get(name) as string]));
}

const words = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');

const beginning = (text: string): string => (/^[0-9]/.test(text) ? `key_${text}` : text);

/** Names of Terraform resources: `prod-checkout` becomes `prod_checkout`. */
export const TERRAFORM_LABELS: Naming = {
  shape: (name) => beginning(words(name)),
  withHash: (shaped, hash) => `${shaped || 'key'}_${hash}`,
};

/** Terraform derives its name from these characters, and it must not begin with a digit. */
const beginsWell = (id: string): boolean => /^[A-Za-z_]/.test(id.replace(/[^A-Za-z0-9_-]/g, ''));

const constructId = (name: string): string => {
  const id = name.replaceAll('/', '-');
  return beginsWell(id) ? id : `key-${id}`;
};

/** Members of every object, such as `constructor`: constructs would mistake them for existing children. */
const ON_EVERY_OBJECT = Object.getOwnPropertyNames(Object.prototype);

/** IDs of constructs: the names themselves, without the separator of paths. */
export const constructIds = (...taken: readonly string[]): Naming => ({
  shape: constructId,
  withHash: (shaped, hash) => `${shaped}-${hash}`,
  taken: new Set([...ON_EVERY_OBJECT, ...taken]),
});

const camel = (name: string): string => {
  const [first = '', ...rest] = beginning(words(name)).split('_');
  const text = [
    first.charAt(0).toLowerCase() + first.slice(1),
    ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
  ].join('');
  return text;
};

/** Reserved words, and the names that the program itself uses. */
const NOT_VARIABLES = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield app constructs id scope`.split(
    /\s+/,
  ),
);

/** Names of variables: `prod-checkout` becomes `prodCheckout`. */
export const VARIABLES: Naming = {
  shape: camel,
  withHash: (shaped, hash) => `${shaped || 'key'}_${hash}`,
  taken: NOT_VARIABLES,
};

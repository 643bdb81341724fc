import { isKeywords, type Keywords } from './schema-walk.ts';

/** This many letters count as one value. */
const LETTERS = 1000;

type SizeOf = (schema: unknown) => number;

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const named = (value: unknown): Keywords => (isKeywords(value) ? value : {});
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
const least = (sizes: readonly number[]): number => (sizes.length === 0 ? 1 : Math.min(...sizes));

function within(place: unknown, name: string): unknown {
  if (Array.isArray(place)) return place[Number(name)];
  return isKeywords(place) && Object.hasOwn(place, name) ? place[name] : undefined;
}

/** Follows a reference within the document; undefined if it leads elsewhere. */
function tryFollow(root: Keywords, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  const names = reference.slice(2).split('/');
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).reduce<unknown>(within, root);
}

function itemsSize({ minItems, prefixItems, items }: Keywords, sizeOf: SizeOf): number {
  const wanted = Number(minItems ?? 0);
  const first = listIn(Array.isArray(items) ? items : prefixItems);
  const others = wanted - first.length;
  return sum(first.slice(0, wanted).map(sizeOf)) + (others > 0 ? others * sizeOf(items) : 0);
}

function membersSize(schema: Keywords, sizeOf: SizeOf): number {
  const own = named(schema.properties);
  const required = [...new Set(listIn(schema.required).map(String))];
  const others = Number(schema.minProperties ?? 0) - Math.max(required.length, Object.keys(own).length);
  const values = [...Object.values(named(schema.patternProperties)), schema.additionalProperties];
  const requiredSize = sum(required.map((name) => sizeOf(within(own, name))));
  return requiredSize + (others > 0 ? others * least(values.map(sizeOf)) : 0);
}

/** The keywords of one type count only where no other type is possible. */
function ownSize(schema: Keywords, sizeOf: SizeOf): number {
  if (schema.type === 'array') return 1 + itemsSize(schema, sizeOf);
  if (schema.type === 'object') return 1 + membersSize(schema, sizeOf);
  return schema.type === 'string' ? 1 + Number(schema.minLength ?? 0) / LETTERS : 1;
}

/**
 * Counts the values of the smallest value that can satisfy a schema, or fewer: what it does not understand counts as one.
 * Infinite for a schema that requires itself within itself.
 */
export function leastSize(root: Keywords): number {
  const known = new Map<Keywords, number>();
  const count = (schema: Keywords): number => {
    if ('enum' in schema || 'const' in schema) return 1;
    const referred = typeof schema.$ref === 'string' ? sizeOf(tryFollow(root, schema.$ref)) : 1;
    const choices = [schema.anyOf, schema.oneOf].map((branches) => least(listIn(branches).map(sizeOf)));
    return Math.max(ownSize(schema, sizeOf), referred, ...choices, ...listIn(schema.allOf).map(sizeOf));
  };
  const sizeOf: SizeOf = (schema) => {
    if (!isKeywords(schema)) return 1;
    // Until it is counted, a schema that requires itself has no end.
    if (!known.has(schema)) known.set(schema, Number.POSITIVE_INFINITY).set(schema, count(schema));
    return known.get(schema) ?? 1;
  };
  return sizeOf(root);
}

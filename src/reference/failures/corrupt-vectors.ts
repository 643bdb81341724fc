import { vectorToBase64 } from '../../synthetic/index.ts';
import type { VectorFlaw } from './kinds.ts';
import { type Fields, fieldsIn, isFields } from './rewriting.ts';

type Numbers = readonly number[];

/** What becomes of each vector. NaN is null in JSON. */
const IN_EACH: { readonly [F in VectorFlaw]?: (vector: Numbers) => Numbers } = {
  short: (vector) => vector.slice(0, Math.ceil(vector.length / 2)),
  zero: (vector) => vector.map(() => 0),
  'not-finite': (vector) => vector.with(vector.length >> 1, Number.NaN),
};

function numbersIn(coded: unknown): Numbers {
  if (typeof coded !== 'string') return coded as Numbers;
  const bytes = Buffer.from(coded, 'base64');
  return Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readFloatLE(index * 4));
}

/** A vector with its flaw, as numbers or in Base64 as it came. */
function spoilt(coded: unknown, how: VectorFlaw): unknown {
  const vector = IN_EACH[how]?.(numbersIn(coded));
  if (vector === undefined) return coded;
  return typeof coded === 'string' ? vectorToBase64(Float32Array.from(vector)) : vector;
}

interface Listing {
  readonly items: readonly Fields[];
  /** Where an item has its vector. */
  readonly field: 'embedding' | 'values';
}

function misordered({ items, field }: Listing): readonly Fields[] {
  if (field === 'values') return items.toReversed();
  return items.map((item, at) => ({ ...item, index: items.length - 1 - at }));
}

function spoiltList({ items, field }: Listing, how: VectorFlaw): readonly Fields[] {
  if (how === 'one-less') return items.slice(0, -1);
  if (how === 'swapped') return misordered({ items, field });
  if (how === 'same') return items.map((item) => ({ ...item, [field]: items[0]?.[field] }));
  return items.map((item) => ({ ...item, [field]: spoilt(item[field], how) }));
}

/** An answer of embeddings, in any of its three shapes, with vectors that are of no use. */
export function spoiltVectors(body: unknown, how: VectorFlaw): unknown {
  if (!isFields(body)) return body;
  const { data, embeddings, embedding, ...rest } = body;
  if (data !== undefined) return { ...body, data: spoiltList({ items: fieldsIn(data), field: 'embedding' }, how) };
  if (embeddings !== undefined)
    return { ...body, embeddings: spoiltList({ items: fieldsIn(embeddings), field: 'values' }, how) };
  const [only] = spoiltList({ items: fieldsIn([embedding]), field: 'values' }, how);
  return only === undefined ? rest : { ...body, embedding: only };
}

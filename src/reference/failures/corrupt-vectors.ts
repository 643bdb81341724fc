import { vectorToBase64 } from '../../synthetic/index.ts';
import { isJsonObject, type JsonObject, objectsIn } from '../json-object.ts';
import type { VectorFlaw } from './kinds.ts';

type Numbers = readonly number[];

/** The change to each vector. NaN becomes null in JSON. */
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

/** Corrupts a vector, and keeps its notation: numbers or Base64. */
function corruptVector(coded: unknown, how: VectorFlaw): unknown {
  const vector = IN_EACH[how]?.(numbersIn(coded));
  if (vector === undefined) return coded;
  return typeof coded === 'string' ? vectorToBase64(Float32Array.from(vector)) : vector;
}

interface Listing {
  readonly items: readonly JsonObject[];
  /** The field of an item that holds its vector. */
  readonly field: 'embedding' | 'values';
}

function misorder({ items, field }: Listing): readonly JsonObject[] {
  if (field === 'values') return items.toReversed();
  return items.map((item, at) => ({ ...item, index: items.length - 1 - at }));
}

function corruptList({ items, field }: Listing, how: VectorFlaw): readonly JsonObject[] {
  if (how === 'one-less') return items.slice(0, -1);
  if (how === 'swapped') return misorder({ items, field });
  if (how === 'same') return items.map((item) => ({ ...item, [field]: items[0]?.[field] }));
  return items.map((item) => ({ ...item, [field]: corruptVector(item[field], how) }));
}

/** Corrupts the vectors of an embeddings answer, in any of its three shapes. */
export function corruptVectors(body: unknown, how: VectorFlaw): unknown {
  if (!isJsonObject(body)) return body;
  const { data, embeddings, embedding, ...rest } = body;
  if (data !== undefined) return { ...body, data: corruptList({ items: objectsIn(data), field: 'embedding' }, how) };
  if (embeddings !== undefined)
    return { ...body, embeddings: corruptList({ items: objectsIn(embeddings), field: 'values' }, how) };
  const [only] = corruptList({ items: objectsIn([embedding]), field: 'values' }, how);
  return only === undefined ? rest : { ...body, embedding: only };
}

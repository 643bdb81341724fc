import type { Assertions } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';

/** The properties that all modules for vectors share. Each sends a second request, to compare. */
export const VECTOR_DEFAULTS = {
  schedule: 'cheap',
  pays: true,
  paidRequests: 2,
  isAsynchronous: false,
  needsUsableKey: true,
  timeoutMs: 60_000,
  assertions: ['dimensions', 'minDimensions', 'maxLatencyMs', 'maxFirstByteMs', 'maxCost'],
} as const;

export type Vector = ArrayLike<number>;

/** The scalar product. Vectors have thousands of numbers, so none is copied. */
function product(a: Vector, b: Vector): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

const norm = (vector: Vector): number => Math.sqrt(product(vector, vector));

function hasOnlyFinite(vector: Vector): boolean {
  for (let index = 0; index < vector.length; index += 1) if (!Number.isFinite(vector[index])) return false;
  return true;
}

/** Returns 1 for the same direction, 0 for nothing in common or vectors that cannot be compared. */
function cosine(a: Vector, b: Vector): number {
  if (a.length !== b.length || a.length === 0) return 0;
  const size = norm(a) * norm(b);
  return size > 0 ? product(a, b) / size : 0;
}

/** Encodings round, and some upstreams give slightly different vectors each time. */
const SAME = 0.999;
/** The vectors of two different texts are less similar. */
const DIFFERENT = 0.99999;

export const isSameDirection = (a: Vector | undefined, b: Vector | undefined): boolean =>
  a !== undefined && b !== undefined && cosine(a, b) >= SAME;

interface VectorClaims {
  /** Number of texts. */
  readonly count: number;
  /** The length of each vector; undefined if it is unknown, but the same for all. */
  readonly size: number | undefined;
  readonly expect: Assertions;
  /** True if the texts differ. */
  readonly different: boolean;
}

const lengthsOf = (vectors: readonly Vector[]): string => [...new Set(vectors.map(({ length }) => length))].join(', ');

function claimSizes(recorder: CheckRecorder, vectors: readonly Vector[], { size, expect }: VectorClaims): void {
  const lengths = lengthsOf(vectors);
  const exact = expect.dimensions ?? size;
  const { minDimensions: min } = expect;
  if (exact !== undefined)
    recorder.claim(
      `the vectors have ${exact} dimensions`,
      vectors.every(({ length }) => length === exact),
      lengths,
    );
  else
    recorder.claim(
      'the vectors have the same length',
      new Set(vectors.map(({ length }) => length)).size === 1,
      lengths,
    );
  if (min !== undefined)
    recorder.claim(
      `the vectors have at least ${min} dimensions`,
      vectors.every(({ length }) => length >= min),
      lengths,
    );
}

/** Claims that there is a vector for each text, of the right length, finite, and that different texts differ. */
export function claimVectors(recorder: CheckRecorder, vectors: readonly Vector[], claims: VectorClaims): void {
  const { count, different } = claims;
  recorder.claim(`there are as many vectors as texts: ${count}`, vectors.length === count, `${vectors.length}`);
  if (vectors.length === 0) return;
  claimSizes(recorder, vectors, claims);
  recorder.claim('all numbers of the vectors are finite', vectors.every(hasOnlyFinite));
  recorder.claim(
    'no vector has only zeros',
    vectors.every((vector) => norm(vector) > 0),
  );
  const [first, second] = vectors;
  if (different && first && second) {
    recorder.claim(
      'different texts have different vectors',
      cosine(first, second) < DIFFERENT,
      'the same vector for both',
    );
  }
}

import type { CheckRecorder, Trial } from '../check-module.ts';

export type Vector = ArrayLike<number>;

const norm = (vector: Vector): number => Math.sqrt(Array.from(vector).reduce((sum, value) => sum + value * value, 0));

/** 1: the same direction; 0: nothing in common, or one of them is no vector. */
function cosine(a: Vector, b: Vector): number {
  if (a.length !== b.length || a.length === 0) return 0;
  const dot = Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const size = norm(a) * norm(b);
  return size > 0 ? dot / size : 0;
}

/** Encodings round, and some upstreams do not give quite the same twice. */
const SAME = 0.999;
/** Two different texts. */
const DIFFERENT = 0.99999;

export const agree = (a: Vector | undefined, b: Vector | undefined): boolean =>
  a !== undefined && b !== undefined && cosine(a, b) >= SAME;

export interface VectorClaims {
  /** As many as texts. */
  readonly count: number;
  /** How long they must be; undefined: all of one length. */
  readonly size: number | undefined;
  readonly expect: Trial['spec']['expect'];
  /** Are the texts different? */
  readonly different: boolean;
}

const lengthsOf = (vectors: readonly Vector[]): string => [...new Set(vectors.map(({ length }) => length))].join(', ');

function claimSizes(recorder: CheckRecorder, vectors: readonly Vector[], { size, expect }: VectorClaims): void {
  const lengths = lengthsOf(vectors);
  const wanted = expect.dimensions ?? size;
  const { minDimensions: least } = expect;
  if (wanted !== undefined)
    recorder.claim(
      `the vectors have ${wanted} dimensions`,
      vectors.every(({ length }) => length === wanted),
      lengths,
    );
  else
    recorder.claim('the vectors are of one length', new Set(vectors.map(({ length }) => length)).size === 1, lengths);
  if (least !== undefined)
    recorder.claim(
      `the vectors have at least ${least} dimensions`,
      vectors.every(({ length }) => length >= least),
      lengths,
    );
}

/** What vectors must be to be of any use: as many as texts, of the right length, finite, and not all the same. */
export function claimVectors(recorder: CheckRecorder, vectors: readonly Vector[], claims: VectorClaims): void {
  const { count, different } = claims;
  recorder.claim(`there are as many vectors as texts: ${count}`, vectors.length === count, `${vectors.length}`);
  if (vectors.length === 0) return;
  claimSizes(recorder, vectors, claims);
  recorder.claim(
    'every number in them is finite',
    vectors.every((vector) => Array.from(vector).every(Number.isFinite)),
  );
  recorder.claim(
    'none of them is nothing but zeros',
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

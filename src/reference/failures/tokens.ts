import type { Sabotage, TokenFlaw } from './kinds.ts';

/** What is answered for any text. */
const COUNTS: { readonly [F in TokenFlaw]: number } = { zero: 0, constant: 12 };

/** A number of tokens, or what a gateway answers that does not count. */
export const miscounted = (tokens: number, sabotage: Sabotage | undefined): number =>
  sabotage?.kind === 'tokens' ? COUNTS[sabotage.how] : tokens;

import type { ServingFailure, TokenFlaw } from './kinds.ts';

/** What is answered for any text. */
const COUNTS: { readonly [F in TokenFlaw]: number } = { zero: 0, constant: 12 };

/** A number of tokens, or what a gateway answers that does not count. */
export const miscountTokens = (tokens: number, failure: ServingFailure | undefined): number =>
  failure?.kind === 'tokens' ? COUNTS[failure.how] : tokens;

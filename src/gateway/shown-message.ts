import type { Secret } from '../domain/index.ts';

const LONGEST = 300;
const BLANK = '‹secret›';
/** Credentials of API keys, and anything as long as the stored value of one. */
const LIKE_A_SECRET = /sk-[A-Za-z0-9_*-]{4,}|[A-Za-z0-9_/+-]{40,}/g;

/**
 * A message of the gateway as it may be shown: one line, no control characters that could drive a terminal, and nothing
 * in it that is or looks like a secret. It is for people; nothing decides by it.
 */
export function shownMessage(message: string, secrets: readonly Secret[]): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ').trim();
  const text = secrets.reduce((rest, secret) => secret.blankedIn(rest), line).replace(LIKE_A_SECRET, BLANK);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

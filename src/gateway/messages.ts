import * as z from 'zod';
import { blankTraces, type Secret } from '../domain/index.ts';
import { OpenError } from '../wire/index.ts';

const LONGEST = 300;
/** No more of a message is looked at: a pattern exhausts its stack on megabytes. */
const LONGEST_READ = 16 * 1024;
const BLANK = '‹secret›';
/** Credentials of API keys, and anything as long as the stored value of one. */
const LIKE_A_SECRET = /sk-[A-Za-z0-9_*-]{4,}|[A-Za-z0-9_/+-]{40,}/g;

/**
 * Makes a message of the gateway fit to be shown: one line, without control characters that could drive a terminal, and
 * without anything that is or looks like a secret. It is for people; no decision depends on it.
 */
export function redactMessage(message: string, secrets: readonly Secret[]): string {
  const line = message
    .slice(0, LONGEST_READ)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  const text = blankTraces(line, secrets).replace(LIKE_A_SECRET, BLANK);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const WithMessage = z.lazy(() => z.looseObject({ message: z.string() }));

/** The message of an envelope or of the open error shape; empty when there is none. */
export function messageIn(body: unknown): string {
  const open = OpenError.safeParse(body);
  if (open.success) return open.data.error.message;
  const plain = WithMessage.safeParse(body);
  return plain.success ? plain.data.message : '';
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../domain/index.ts';

const BYTES = 16;

/**
 * A mark by which a secret is recognized and that does not reveal it: a keyed hash, with its key next to it. A gateway’s
 * secret is far too long to be guessed.
 */
export interface Fingerprint {
  readonly salt: string;
  readonly mark: string;
}

/** Facts about a delivery, of which the fingerprint is made as well: nobody can change them who does not know the secret. */
type DeliveryFacts = readonly string[];

function markOf(secret: Secret, facts: DeliveryFacts, salt: string): Buffer {
  const hash = createHmac('sha256', Buffer.from(salt, 'base64url')).update(secret.reveal());
  if (facts.length > 0) hash.update(`\0${JSON.stringify(facts)}`);
  return hash.digest().subarray(0, BYTES);
}

/** Makes the fingerprint of a secret with a salt of its own, so that equal secrets have different ones. */
export function fingerprintOf(secret: Secret, facts: DeliveryFacts = []): Fingerprint {
  const salt = randomBytes(BYTES).toString('base64url');
  return { salt, mark: markOf(secret, facts, salt).toString('base64url') };
}

/** Was the fingerprint made of this secret, and of these facts? */
export function matchesFingerprint(secret: Secret, { salt, mark }: Fingerprint, facts: DeliveryFacts = []): boolean {
  const [own, given] = [markOf(secret, facts, salt), Buffer.from(mark, 'base64url')];
  return own.length === given.length && timingSafeEqual(own, given);
}

const WORD = /^v1\.([\w-]{22})\.([\w-]{22})$/;

/** Writes a fingerprint as one word: `v1.<salt>.<mark>`. */
export const renderFingerprint = ({ salt, mark }: Fingerprint): string => `v1.${salt}.${mark}`;

/** Undefined: the text is not a fingerprint. */
export function tryParseFingerprint(text: unknown): Fingerprint | undefined {
  const [, salt, mark] = (typeof text === 'string' && WORD.exec(text)) || [];
  return salt === undefined || mark === undefined ? undefined : { salt, mark };
}

import type { Json, Secret } from '../../domain/index.ts';

const LONGEST_TEXT = 2000;
const LONGEST_LIST = 20;
const DEEPEST = 12;

/** Whatever looks like a key of the gateway, or a bearer: an answer may repeat what it should not. */
const CREDENTIAL = /\bsk-[\w-]{8,}|\bBearer\s+\S{8,}/gi;
const BASE64 = /^(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/_-]{200,}={0,2}$/;

/** Takes out of a text what may not be shown. */
export type RedactText = (text: string) => string;

/** Without the values that a definition hides, and without the credential that asked. */
export function redactTextFor(hidden: readonly string[], secret: Secret): RedactText {
  return (text) => {
    const open = hidden.reduce((rest, value) => (value === '' ? rest : rest.replaceAll(value, '‹hidden›')), text);
    return secret.blankedIn(open);
  };
}

function shortText(text: string, redactText: RedactText): string {
  if (BASE64.test(text)) return `(${text.length} characters of Base64)`;
  const shown = redactText(text).replace(CREDENTIAL, '‹secret›');
  return shown.length > LONGEST_TEXT ? `${shown.slice(0, LONGEST_TEXT)}… (${text.length} characters)` : shown;
}

/** The fields that sign a link: whoever has them has the file. */
const withoutSignature = (text: string): string => text.replace(/^(https?:\/\/[^?\s]+)\?\S+$/, '$1?…');

function within(value: unknown, depth: number, redactText: RedactText): Json {
  if (typeof value === 'string') return withoutSignature(shortText(value, redactText));
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object') return null;
  if (depth > DEEPEST) return '…';
  if (ArrayBuffer.isView(value)) return within([...(value as Float32Array)], depth, redactText);
  if (Array.isArray(value)) {
    const items = value.slice(0, LONGEST_LIST).map((item) => within(item, depth + 1, redactText));
    return value.length > LONGEST_LIST ? [...items, `… (${value.length} in all)`] : items;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, within(member, depth + 1, redactText)]),
  );
}

/** A request or an answer as it may stand in a report: short, and without anything that is or looks like key material. */
export const redact = (value: unknown, redactText: RedactText): Json => within(value ?? null, 0, redactText);

import { blankTraces, type Json, maskCredentials, type Secret } from '../../domain/index.ts';

const LONGEST_TEXT = 2000;
/** No more of a text is looked at: an answer may hold a film, and a pattern exhausts its stack on megabytes. */
const LONGEST_READ = 64 * 1024;
const LONGEST_LIST = 20;
const DEEPEST = 12;

/** Whatever begins like a key of the gateway or a bearer token: an answer may repeat one. */
const CREDENTIAL = /\bsk-[\w-]{8,}|\bBearer\s+\S{8,}/gi;
const BASE64 = /^(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/_-]{200,}={0,2}$/;

/** Redacts a text for display. */
export type RedactText = (text: string) => string;

/** Redacts the values that a definition hides and the credential of the key. */
export function redactTextFor(hidden: readonly string[], secret: Secret): RedactText {
  return (text) => {
    const visible = hidden.reduce((rest, value) => (value === '' ? rest : rest.replaceAll(value, '‹hidden›')), text);
    return blankTraces(visible, [secret]);
  };
}

function shortText(text: string, redactText: RedactText): string {
  const head = text.slice(0, LONGEST_READ);
  if (BASE64.test(head)) return `(${text.length} characters of Base64)`;
  const shown = maskCredentials(redactText(head)).replace(CREDENTIAL, '‹secret›');
  return shown.length > LONGEST_TEXT ? `${shown.slice(0, LONGEST_TEXT)}… (${text.length} characters)` : shown;
}

/** Removes the signature of a link, which gives access to the file. */
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
    // An answer may repeat a credential as the name of a field as well.
    Object.entries(value).map(([name, member]) => [shortText(name, redactText), within(member, depth + 1, redactText)]),
  );
}

/** Shortens a request or an answer for a report, and redacts everything that is or looks like key material. */
export const redact = (value: unknown, redactText: RedactText): Json => within(value ?? null, 0, redactText);

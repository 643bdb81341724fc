import { tryParseDuration, type UnixSeconds } from '../window.ts';
import { type KeyName, keyName, utf8Length } from './name.ts';

/**
 * The names of generations. A key that rotates is a lineage of live keys: generations, each with the name `STEM~DATE-TIME`, and the
 * key without a date that was there before the first rotation. A gateway stores nothing else about a rotation, so a name also
 * states what a forced one has to remember: `+1h`, the overlap of that rotation alone, or `+0`, the predecessor leaked.
 *
 * The stem is the declared name, or its beginning and a digest of it where it is too long. The part after the stem has one form and
 * a length that is known, so every declared name has room for it. A manifest cannot declare a name of that form, nor two names with
 * one stem: a generation is never taken for a key that somebody named.
 */

/** The end of the predecessors, as a name states it. */
export type StatedEnd = { readonly overlap: number } | 'leaked';

/** The parts of the name of a generation. */
export interface GenerationName {
  readonly stem: string;
  /** The minute for which the generation was made. */
  readonly born: UnixSeconds;
  /** Omitted: the declaration decides when the predecessor ends. */
  readonly end?: StatedEnd;
}

/** The UTF-8 bytes that a name may have, less `~YYYYMMDD-HHMM` and `+9999d`. */
const STEM_BYTES = 30;
const DIGEST_LENGTH = 10;
const FORM = /^(.+)~(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(?:\+(0|[1-9]\d{0,3}[smhd]))?$/su;
const MINUTE = 60;

/** FNV-1a with 64 bits, the last digits in base 36. Two declared names with one stem are refused, so nothing depends on its strength. */
export function digestOf(text: string, digits: number): string {
  const hash = new TextEncoder()
    .encode(text)
    .reduce((state, byte) => BigInt.asUintN(64, (state ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n);
  return hash.toString(36).padStart(digits, '0').slice(-digits);
}

/** Returns a name that fits into this many bytes: the same one, or its beginning and a digest of it. */
export function shortenName(name: string, bytes: number): string {
  if (utf8Length(name) <= bytes) return name;
  const room = bytes - DIGEST_LENGTH - 1;
  let start = '';
  for (const character of name) {
    if (utf8Length(start + character) > room) break;
    start += character;
  }
  return `${start}~${digestOf(name, DIGEST_LENGTH)}`;
}

/** Returns the part of the names of all generations of a key that identifies the key. */
export const stemOf = (name: string): string => shortenName(name, STEM_BYTES);

/** The minute in which a moment lies: what a name can state. */
export const minuteOf = (at: UnixSeconds): UnixSeconds => Math.floor(at / MINUTE) * MINUTE;

/** Renders an overlap in the largest exact unit, as a name states it; undefined when it has no form that fits. */
export function tryRenderOverlap(seconds: number): string | undefined {
  const units = { d: 86_400, h: 3600, m: MINUTE, s: 1 };
  const [unit, length] = Object.entries(units).find(([, each]) => seconds % each === 0) ?? ['s', 1];
  const count = seconds / length;
  return Number.isSafeInteger(count) && count >= 1 && count <= 9999 ? `${count}${unit}` : undefined;
}

/**
 * Returns the name of a generation of a key.
 *
 * @throws RangeError when the overlap has no form that fits, or the time none of four digits for its year, or the name is invalid
 */
export function generationName(name: string, { born, end }: Omit<GenerationName, 'stem'>): KeyName {
  const overlap = end === undefined || end === 'leaked' ? end : tryRenderOverlap(end.overlap);
  const text = new Date(minuteOf(born) * 1000).toISOString();
  if ((end !== undefined && overlap === undefined) || !/^\d{4}-/.test(text)) {
    throw new RangeError(`not a generation: ${JSON.stringify({ born, end })}`);
  }
  const stamp = `${text.slice(0, 10).replaceAll('-', '')}-${text.slice(11, 16).replace(':', '')}`;
  const mark = overlap === undefined ? '' : `+${overlap === 'leaked' ? '0' : overlap}`;
  return keyName(`${stemOf(name)}~${stamp}${mark}`);
}

/** Reads the name of a generation; undefined when a name has another form, or states a time that does not exist. */
export function tryParseGeneration(name: string): GenerationName | undefined {
  // Nearly all names end here.
  if (!name.includes('~')) return undefined;
  const [, stem, year, month, day, hour, minute, mark] = FORM.exec(name) ?? [];
  if (stem === undefined) return undefined;
  const time = `${year}-${month}-${day}T${hour}:${minute}`;
  const at = Date.parse(`${time}Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(time)) return undefined;
  const generation = { stem, born: at / 1000 };
  if (mark === undefined) return generation;
  return { ...generation, end: mark === '0' ? 'leaked' : { overlap: tryParseDuration(mark) ?? 0 } };
}

/** Does a stem show only how the declared name began? Some short names look the same. */
export const isShortened = (stem: string): boolean => /~[0-9a-z]{10}$/.test(stem);

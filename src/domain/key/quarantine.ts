import type { UnixSeconds } from '../window.ts';
import { digestOf, generationName, shortenName, stemOf, tryParseGeneration } from './generation.ts';
import { type KeyName, keyName, nameProblem } from './name.ts';

/**
 * The names of keys in quarantine: `NAME~qDATE-SEAL`. A gateway stores nothing else about a key that waits for its deletion, so its
 * name states since which day it waits, and whether the quarantine disabled it (`q`) or somebody else had (`d`).
 *
 * The seal fits only this key, its name, that day, and the counters of its use as they were when the quarantine began. So a name that
 * somebody wrote or copied ends no key early, and neither does one whose key was used since. It does not protect from somebody who
 * wants to forge it: such a person can delete the key.
 */

/** The parts of the name of a key in quarantine. */
export interface QuarantineName {
  /** The name before the quarantine, or as much of it as fits. */
  readonly inner: string;
  /** The UTC day on which the quarantine began: its midnight. */
  readonly day: UnixSeconds;
  /** The quarantine disabled the key. False: somebody had disabled it before. */
  readonly isByQuarantine: boolean;
  /** The digits that fit the key, and those that fit its counters. */
  readonly seal: string;
  readonly counters: string;
}

/** The parts of a live key that a seal depends on: what identifies it, and its counters. */
interface Counted {
  readonly id: number;
  readonly used?: number;
  readonly accessedAt?: UnixSeconds;
  readonly createdAt?: UnixSeconds;
  readonly unlimited: boolean;
  readonly remain: number;
}

export const DAY_SECONDS = 86_400;

/** The UTF-8 bytes that a name may have, less `~qYYYYMMDD-` and seven digits. */
const INNER_BYTES = 32;
const SEAL_DIGITS = 3;
const COUNTER_DIGITS = 4;
const FORM = /^(.+)~([qd])(\d{4})(\d{2})(\d{2})-([0-9a-z]{3})([0-9a-z]{4})$/su;

const dayOf = (at: UnixSeconds): UnixSeconds => Math.floor(at / DAY_SECONDS) * DAY_SECONDS;

/** Returns the part of a name that the name in quarantine keeps: of a generation always its date. */
function innerOf(name: string): string {
  const generation = tryParseGeneration(name);
  if (generation === undefined) return shortenName(name, INNER_BYTES);
  const suffix = name.slice(generation.stem.length);
  return shortenName(generation.stem, INNER_BYTES - suffix.length) + suffix;
}

const sealOf = ({ id }: Counted, { inner, day, isByQuarantine }: Omit<QuarantineName, 'seal' | 'counters'>): string =>
  digestOf(JSON.stringify([id, inner, day, isByQuarantine]), SEAL_DIGITS);

/** The remainder is a counter where the record does not report the use. */
function countersOf({ used, accessedAt, unlimited, remain }: Counted): string {
  const left = used === undefined && !unlimited ? Math.max(0, remain) : null;
  return digestOf(JSON.stringify([used ?? null, accessedAt ?? null, left]), COUNTER_DIGITS);
}

/**
 * Returns the name of a key in quarantine; undefined when no valid name states it. A key that has such a name gets a new date.
 *
 * @param at the time when the quarantine begins
 */
export function tryQuarantineName(
  name: string,
  key: Counted,
  { at, isByQuarantine }: { readonly at: UnixSeconds; readonly isByQuarantine: boolean },
): KeyName | undefined {
  const stated = { inner: tryParseQuarantine(name)?.inner ?? innerOf(name), day: dayOf(at), isByQuarantine };
  const date = new Date(stated.day * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  const mark = `~${isByQuarantine ? 'q' : 'd'}${date}-${sealOf(key, stated)}${countersOf(key)}`;
  const text = `${stated.inner}${mark}`;
  // Some live names cannot be given to a key, and the year may have more than four digits.
  return nameProblem(text) === undefined && FORM.test(text) ? keyName(text) : undefined;
}

/** Reads the name of a key in quarantine; undefined when a name has another form, or states a day that does not exist. */
export function tryParseQuarantine(name: string): QuarantineName | undefined {
  if (!name.includes('~')) return undefined;
  const [, inner, by, year, month, day, seal, counters] = FORM.exec(name) ?? [];
  if (inner === undefined || seal === undefined || counters === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const at = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(date)) return undefined;
  return { inner, day: at / 1000, isByQuarantine: by === 'q', seal, counters };
}

/** The evidence about a quarantine that a name states: `unproven`: it does not fit the key; `used`: the key was used since. */
export type QuarantineEvidence = 'unused' | 'used' | 'unproven';

/** Compares the name of a key in quarantine with its record. A date from before the last use or the creation is wrong. */
export function evidenceOf(stated: QuarantineName, key: Counted): QuarantineEvidence {
  const end = stated.day + DAY_SECONDS;
  if (stated.seal !== sealOf(key, stated) || (key.createdAt ?? 0) >= end) return 'unproven';
  return stated.counters === countersOf(key) && (key.accessedAt ?? 0) < end ? 'unused' : 'used';
}

/** The first moment at which a key may be deleted: after so many whole days. */
export const quarantineEnd = ({ day }: Pick<QuarantineName, 'day'>, seconds: number): UnixSeconds =>
  day + DAY_SECONDS + seconds;

/** The moment until which a quarantine lasts that begins now. */
export const quarantineEndFrom = (now: UnixSeconds, seconds: number): UnixSeconds =>
  quarantineEnd({ day: dayOf(now) }, seconds);

/** Is this the name that a key in quarantine had before, or the declared name whose generation it was? */
export function isNameBefore(name: string, { inner }: QuarantineName): boolean {
  const generation = tryParseGeneration(inner);
  if (generation === undefined) return inner === innerOf(name);
  const suffix = inner.slice(generation.stem.length);
  return generation.stem === shortenName(stemOf(name), INNER_BYTES - suffix.length);
}

/** Returns the name that a key in quarantine gets back under its declared name: of a generation, that of the generation. */
export function restoredName(declared: KeyName, { inner }: QuarantineName): KeyName {
  const generation = tryParseGeneration(inner);
  return generation ? generationName(declared, generation) : declared;
}

/** Was this key disabled by its quarantine, and by nobody else as far as its record shows it? */
export function isDisabledByQuarantine(key: Counted & { readonly name: string; readonly status: string }): boolean {
  const stated = key.status === 'disabled' ? tryParseQuarantine(key.name) : undefined;
  return stated?.isByQuarantine === true && evidenceOf(stated, key) === 'unused';
}

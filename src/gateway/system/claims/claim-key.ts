import {
  INITIAL_SETTINGS,
  type IpRule,
  type KeySettings,
  LOCK_NAME,
  type ObservedKey,
  quota,
} from '../../../domain/index.ts';
import type { Claim, ClaimNote } from '../../../reconcile/index.ts';

/**
 * A claim of the lock, as a key. A gateway creates every key enabled, so this one is made useless: no quota, an allowlist whose
 * only entry is the content of the claim, and an address of a network that exists in documentation only.
 */

/** Begins the content. The number is the version: another one is respected, and not understood. */
const KIND = 'keyplane.lock/';
const PREFIX = `${KIND}1/`;

/** Older databases of gateways hold 1,024 bytes in this column. */
const MOST_BYTES = 900;
const MOST_HOST = 64;

/** An address of the network 192.0.2.0/24. It is a plain address: some gateways ignore ranges, and then admit everybody. */
const NOBODY = ['192.0.2.1' as IpRule];

/** The only entry of the allowlist. Base64 keeps commas, which would split it, and whatever else a host name holds out of it. */
function renderNote({ nonce, team, beat, process, host, run, since }: ClaimNote): string {
  const render = (content: object): string => PREFIX + Buffer.from(JSON.stringify(content)).toString('base64url');
  const place = { p: process, n: host.slice(0, MOST_HOST), s: since };
  const short = { h: nonce, b: beat, ...place, ...(team === undefined ? {} : { t: team }) };
  const whole = render({ ...short, ...(run === undefined ? {} : { r: run }) });
  return whole.length <= MOST_BYTES ? whole : render(short);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function tryParseNote(text: string): ClaimNote | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  try {
    const found: unknown = JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString('utf8'));
    if (!isObject(found)) return undefined;
    const { h, b, p, n, r, s, t } = found;
    const isWhole =
      typeof h === 'string' &&
      typeof n === 'string' &&
      [b, p, s].every(Number.isSafeInteger) &&
      (r === undefined || typeof r === 'string') &&
      (t === undefined || typeof t === 'string');
    if (!isWhole) return undefined;
    return {
      nonce: h,
      beat: Number(b),
      process: Number(p),
      host: n,
      since: Number(s),
      ...(r === undefined ? {} : { run: r }),
      ...(t === undefined ? {} : { team: t }),
    };
  } catch {
    return undefined;
  }
}

export const modelsOfNote = (note: ClaimNote): readonly string[] => [renderNote(note)];

export const settingsOfNote = (note: ClaimNote): KeySettings => ({
  ...INITIAL_SETTINGS,
  name: LOCK_NAME,
  models: modelsOfNote(note),
  allowIps: NOBODY,
  unlimited: false,
  remain: quota(0),
});

/**
 * Recognizes a claim by its name and its content; undefined for any other key. A key with the name and without the content
 * belongs to somebody, and stays a key.
 */
export function tryFindClaim({ id, name, models }: Pick<ObservedKey, 'id' | 'name' | 'models'>): Claim | undefined {
  const [content, ...others] = models ?? [];
  if (name !== LOCK_NAME || content === undefined || others.length > 0 || !content.startsWith(KIND)) return undefined;
  return { id, note: tryParseNote(content), mark: content };
}

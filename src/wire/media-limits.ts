import type { MediaFacts } from '../domain/index.ts';
import type { BrokenLimit } from './request-diagnostic.ts';

/** A file that is sent as part of a form. */
export interface Upload {
  /** Its name, which the gateway may see. */
  readonly name?: string | undefined;
  readonly bytes: Uint8Array;
}

/** One file of a request: the bytes, or a text that names or holds them (URL, data URI, file id). */
export interface MediaItem {
  readonly path: string;
  readonly source: Upload | string;
}

/** The facts about an item: read, not readable as any medium, or undefined where its bytes are not available. */
export type KnownMedia = MediaFacts | 'unreadable' | undefined;

/** Bounds of the files in one field. Bytes in units of 1; edges in pixels; ratios are width / height. All inclusive. */
export interface MediaLimits {
  readonly kind: MediaFacts['kind'];
  readonly formats: readonly string[];
  readonly maxBytes?: number;
  /** The contract reads “under”, which is not “at most”. */
  readonly belowBytes?: number;
  readonly minEdge?: number;
  readonly maxEdge?: number;
  readonly minRatio?: number;
  readonly maxRatio?: number;
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  readonly maxTotalSeconds?: number;
  readonly minFps?: number;
  readonly maxFps?: number;
  readonly videoCodecs?: readonly string[];
  readonly audioCodecs?: readonly string[];
}

/** A field of a request that holds files. */
export interface MediaSlot<Body> {
  /** The path in the contract: `metadata.content[].image_url.url`. */
  readonly field: string;
  readonly limits: MediaLimits;
  readonly items: (body: Body) => readonly MediaItem[];
  /** The item whose width and height each of these must have. */
  readonly sameFrameAs?: (body: Body) => MediaItem | undefined;
}

export const MEGABYTE = 1024 * 1024;

const shownMegabytes = (bytes: number): string => `${bytes / MEGABYTE} MB`;

/** The error of an average over whole time units. */
const FPS_SLACK = 0.0005;

/** A container's time base and a codec's frame length make a file of 15 seconds a little longer or shorter than it. */
const SECONDS_SLACK = 0.1;

/** Returns what is wrong with one file, each a sentence without its subject. */
function complaints(limits: MediaLimits, facts: MediaFacts): readonly string[] {
  const { bytes, width, height, seconds, fps } = facts;
  const found: (string | false | undefined)[] = [
    (facts.kind !== limits.kind || !limits.formats.includes(facts.format)) &&
      `is ${facts.format}, and must be ${limits.formats.join(', ')}`,
    limits.maxBytes !== undefined &&
      bytes > limits.maxBytes &&
      `has ${bytes} bytes, and may have at most ${shownMegabytes(limits.maxBytes)}`,
    limits.belowBytes !== undefined &&
      bytes >= limits.belowBytes &&
      `has ${bytes} bytes, and must have fewer than ${shownMegabytes(limits.belowBytes)}`,
    ...(width === undefined || height === undefined ? [] : frameComplaints(limits, width, height)),
    outside(seconds, limits.minSeconds, limits.maxSeconds, SECONDS_SLACK) &&
      `is ${seconds} s long, and must be ${limits.minSeconds} to ${limits.maxSeconds} s`,
    outside(fps, limits.minFps, limits.maxFps, FPS_SLACK) &&
      `has ${fps} frames a second, and must have ${limits.minFps} to ${limits.maxFps}`,
    foreign(facts.videoCodec, limits.videoCodecs) &&
      `has ${facts.videoCodec ?? 'no'} video, and must have ${limits.videoCodecs?.join(' or ')}`,
    facts.audioCodec !== null &&
      foreign(facts.audioCodec, limits.audioCodecs) &&
      `has ${facts.audioCodec} audio, and must have ${limits.audioCodecs?.join(' or ')}`,
  ];
  return found.filter((text) => typeof text === 'string');
}

const outside = (value: number | undefined, min = -Infinity, max = Infinity, slack = 0): boolean =>
  value !== undefined && (value < min - slack || value > max + slack);

const foreign = (codec: string | null | undefined, allowed: readonly string[] | undefined): boolean =>
  codec !== undefined && allowed !== undefined && !(codec !== null && allowed.includes(codec));

function frameComplaints(limits: MediaLimits, width: number, height: number): (string | false)[] {
  const size = `${width}x${height}`;
  const ratio = width / height;
  return [
    (outside(width, limits.minEdge, limits.maxEdge) || outside(height, limits.minEdge, limits.maxEdge)) &&
      `is ${size}, and each edge must have ${limits.minEdge} to ${limits.maxEdge} pixels`,
    outside(ratio, limits.minRatio, limits.maxRatio) &&
      `is ${size}, and width / height must be ${limits.minRatio} to ${limits.maxRatio}`,
  ];
}

function frameDifference(facts: MediaFacts, other: KnownMedia, path = ''): readonly string[] {
  if (other === undefined || other === 'unreadable') return [];
  if (facts.width === other.width && facts.height === other.height) return [];
  return [`is ${facts.width}x${facts.height}, and must be ${other.width}x${other.height} as ${path}`];
}

function itemMessages<Body>(
  { limits, sameFrameAs }: MediaSlot<Body>,
  known: KnownMedia,
  { body, knownOf }: { readonly body: Body; readonly knownOf: (item: MediaItem) => KnownMedia },
): readonly string[] {
  if (known === undefined) return [];
  if (known === 'unreadable') return [`cannot be read as ${limits.formats.join(', ')}`];
  const first = sameFrameAs?.(body);
  return [...complaints(limits, known), ...frameDifference(known, first && knownOf(first), first?.path)];
}

/** Together they may be as long as one; each may be off by as much as one. */
function lengthTrouble(limits: MediaLimits, lengths: readonly number[]): string | undefined {
  const total = lengths.reduce((sum, seconds) => sum + seconds, 0);
  const most = limits.maxTotalSeconds;
  if (!outside(total, undefined, most, SECONDS_SLACK * lengths.length)) return undefined;
  return `is ${Number(total.toFixed(3))} s long in all, and may be at most ${most} s`;
}

/** Returns what is wrong with the files of one field, as far as their facts are known. */
export function brokenMediaLimits<Body>(
  slot: MediaSlot<Body>,
  body: Body,
  knownOf: (item: MediaItem) => KnownMedia,
): readonly BrokenLimit[] {
  const items = slot.items(body).map(({ path, source }) => ({ path, known: knownOf({ path, source }) }));
  const broken = items.flatMap(({ path, known }) =>
    itemMessages(slot, known, { body, knownOf }).map((message) => ({ path, message })),
  );
  const lengths = items.flatMap(({ known }) => (typeof known === 'object' ? [known.seconds ?? 0] : []));
  const message = lengthTrouble(slot.limits, lengths);
  return message === undefined ? broken : [...broken, { path: slot.field, message }];
}

/** The bounds of a field in one line for people. */
export function renderMediaLimits(limits: MediaLimits): string {
  const parts = [
    limits.formats.map((format) => format.toUpperCase()).join(', '),
    limits.maxBytes === undefined ? '' : `at most ${shownMegabytes(limits.maxBytes)} each`,
    limits.belowBytes === undefined ? '' : `each under ${shownMegabytes(limits.belowBytes)}`,
    limits.minEdge === undefined ? '' : `${limits.minEdge}–${limits.maxEdge} px per edge`,
    limits.minRatio === undefined ? '' : `width / height ${limits.minRatio}–${limits.maxRatio}`,
    limits.minSeconds === undefined ? '' : `${limits.minSeconds}–${limits.maxSeconds} s each`,
    limits.maxTotalSeconds === undefined ? '' : `at most ${limits.maxTotalSeconds} s in all`,
    limits.minFps === undefined ? '' : `${limits.minFps}–${limits.maxFps} frames a second`,
    limits.videoCodecs === undefined ? '' : `video ${limits.videoCodecs.join(' or ')}`,
    limits.audioCodecs === undefined ? '' : `audio ${limits.audioCodecs.join(' or ')}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

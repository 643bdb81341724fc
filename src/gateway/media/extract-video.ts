import { createHash, type Hash } from 'node:crypto';
import { type MemberPart, openMemberStream } from './member-stream.ts';

/** The reason why a response contains no usable video. */
export class DamagedVideo extends Error {}

/** The rest of a response without its video, known when the last byte was read. */
export interface ExtractedVideo {
  /** The JSON of the response with its copies of the video empty. */
  rest: string;
  bytes: number;
}

/** Two copies of the same bytes, in either order. Contract: “Video download result”. */
const COPIES = ['base64', 'data_url'];
/** Everything else in such a response is short. */
const LONGEST_REST = 1024 * 1024;
const DATA_URL = /^data:[^,]*;base64$/i;
const LONGEST_PREFIX = 256;

/** One of the copies, as far as it has arrived. */
interface Copy {
  readonly reader: Base64Reader;
  readonly hash: Hash;
  /** The prefix of a data URL, until its comma. */
  prefix: string | undefined;
  bytes: number;
}

const newCopy = (member: string): Copy => ({
  reader: openBase64Reader(),
  hash: createHash('sha256'),
  prefix: member === 'data_url' ? '' : undefined,
  bytes: 0,
});

/**
 * Decodes the video in a download response while it arrives. Keeps neither copy in memory.
 * @param extracted filled in at the end.
 * @throws DamagedVideo
 */
export async function* extractVideo(
  body: AsyncIterable<Uint8Array>,
  extracted: ExtractedVideo,
): AsyncGenerator<Uint8Array> {
  const stream = openMemberStream(COPIES);
  const copies = new Map<string, Copy>();
  let output: Copy | undefined;
  for await (const chunk of body) {
    for (const part of stream.feed(chunk)) {
      const copy = copies.get(part.member) ?? newCopy(part.member);
      copies.set(part.member, copy);
      for (const bytes of decode(copy, part)) {
        output ??= copy;
        if (copy === output) yield bytes;
      }
    }
    if (stream.restLength() > LONGEST_REST) throw new DamagedVideo('the response contains another very long member');
  }
  if (stream.isTruncated()) throw new DamagedVideo('the response is truncated');
  const [one, other] = [...copies.values()].filter(({ bytes }) => bytes > 0).map(({ hash }) => hash.digest('hex'));
  if (other !== undefined && one !== other) throw new DamagedVideo('its two copies of the video differ');
  extracted.rest = stream.rest();
  extracted.bytes = output?.bytes ?? 0;
}

function* decode(copy: Copy, { text, last }: MemberPart): Generator<Uint8Array> {
  const base64 = withoutPrefix(copy, text);
  for (const bytes of [copy.reader.feed(base64), last ? copy.reader.end() : NOTHING]) {
    if (bytes === undefined) throw new DamagedVideo('the video is not Base64');
    if (bytes.length === 0) continue;
    copy.hash.update(bytes);
    copy.bytes += bytes.length;
    yield bytes;
  }
}

/** Strips `data:video/mp4;base64,`. */
function withoutPrefix(copy: Copy, text: string): string {
  if (copy.prefix === undefined) return text;
  const all = copy.prefix + text;
  const comma = all.indexOf(',');
  if (comma < 0 && all.length <= LONGEST_PREFIX) {
    copy.prefix = all;
    return '';
  }
  if (!DATA_URL.test(all.slice(0, comma))) throw new DamagedVideo('its data URL is not Base64');
  copy.prefix = undefined;
  return all.slice(comma + 1);
}

/** Decodes Base64 that arrives in parts. `undefined`: it is not Base64. */
interface Base64Reader {
  feed(text: string): Uint8Array | undefined;
  /** Decodes the remainder. */
  end(): Uint8Array | undefined;
}

const ALPHABET = /^[A-Za-z0-9+/]*$/;
const NOTHING = new Uint8Array(0);

/** Strict except for line breaks and missing padding, so that damage in transit is detected. */
function openBase64Reader(): Base64Reader {
  let rest = '';
  let padding = '';
  return {
    feed(text) {
      const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
      const from = compact.indexOf('=');
      const data = from < 0 ? compact : compact.slice(0, from);
      if (!ALPHABET.test(data) || (data !== '' && padding !== '')) return undefined;
      padding += from < 0 ? '' : compact.slice(from);
      if (!/^={0,2}$/.test(padding)) return undefined;
      const all = rest + data;
      const complete = all.length - (all.length % 4);
      rest = all.slice(complete);
      return complete === 0 ? NOTHING : Buffer.from(all.slice(0, complete), 'base64');
    },
    end() {
      const fits = padding === '' || rest.length + padding.length === 4;
      return rest.length === 1 || !fits ? undefined : Buffer.from(rest, 'base64');
    },
  };
}

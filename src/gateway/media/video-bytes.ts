import { createHash, type Hash } from 'node:crypto';
import { openBase64Reader } from './base64-reader.ts';
import { type MemberPart, openMemberStream } from './member-stream.ts';

/** Why the video in an answer is not to be had. */
export class Damaged extends Error {}

/** What an answer held beside its video, known when the last byte was read. */
export interface VideoFound {
  /** The JSON of the answer with its copies of the video empty. */
  rest: string;
  bytes: number;
}

/** Two copies of the same bytes, in whichever order. Contract: “Video download result”. */
const COPIES = ['base64', 'data_url'];
/** Everything else in such an answer is short. */
const LONGEST_REST = 1024 * 1024;
const DATA_URL = /^data:[^,]*;base64$/i;
const LONGEST_PREFIX = 256;

/** One of the copies, as far as it has come. */
interface Copy {
  readonly reader: ReturnType<typeof openBase64Reader>;
  readonly hash: Hash;
  /** Of a data URL, until its comma. */
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
 * The bytes of the video in the answer to a download, decoded while it comes. Holds neither copy.
 * @param found is filled by the end.
 * @throws Damaged
 */
export async function* videoBytes(body: AsyncIterable<Uint8Array>, found: VideoFound): AsyncGenerator<Uint8Array> {
  const stream = openMemberStream(COPIES);
  const copies = new Map<string, Copy>();
  let written: Copy | undefined;
  for await (const chunk of body) {
    for (const part of stream.feed(chunk)) {
      const copy = copies.get(part.member) ?? newCopy(part.member);
      copies.set(part.member, copy);
      for (const bytes of decoded(copy, part)) {
        written ??= copy;
        if (copy === written) yield bytes;
      }
    }
    if (stream.held() > LONGEST_REST) throw new Damaged('the answer holds something else that is very long');
  }
  if (stream.breaksOff()) throw new Damaged('the answer breaks off');
  const [one, other] = [...copies.values()].filter(({ bytes }) => bytes > 0).map(({ hash }) => hash.digest('hex'));
  if (other !== undefined && one !== other) throw new Damaged('its two copies of the video differ');
  found.rest = stream.rest();
  found.bytes = written?.bytes ?? 0;
}

function* decoded(copy: Copy, { text, last }: MemberPart): Generator<Uint8Array> {
  const base64 = withoutPrefix(copy, text);
  for (const bytes of [copy.reader.feed(base64), last ? copy.reader.end() : new Uint8Array(0)]) {
    if (bytes === undefined) throw new Damaged('the video is no Base64');
    if (bytes.length === 0) continue;
    copy.hash.update(bytes);
    copy.bytes += bytes.length;
    yield bytes;
  }
}

/** `data:video/mp4;base64,` taken off. */
function withoutPrefix(copy: Copy, text: string): string {
  if (copy.prefix === undefined) return text;
  const all = copy.prefix + text;
  const comma = all.indexOf(',');
  if (comma < 0 && all.length <= LONGEST_PREFIX) {
    copy.prefix = all;
    return '';
  }
  if (!DATA_URL.test(all.slice(0, comma))) throw new Damaged('its data URL is none of Base64');
  copy.prefix = undefined;
  return all.slice(comma + 1);
}

import type { EncodedPacket, Input, InputTrack } from 'mediabunny';
import { viewOf } from './byte-view.ts';
import { mustBeWhole } from './recording-parts.ts';

/** How the pictures of a codec are cut into units, each after its length. */
interface UnitForm {
  /** Where the decoder's description tells how many bytes a length has. */
  readonly lengthAt: number;
  /** What is wrong with the first byte of a unit. */
  readonly isHead: (byte: number) => boolean;
}

/** The first bit of a unit is always 0; H.264 gives the numbers from 24 on to nothing in a file. */
const FORMS: Readonly<Record<string, UnitForm>> = {
  avc: { lengthAt: 4, isHead: (byte) => byte < 0x80 && (byte & 0x1f) >= 1 && (byte & 0x1f) <= 23 },
  hevc: { lengthAt: 21, isHead: (byte) => byte < 0x80 },
};

/** Where a unit ends but for the zeros that some writers leave behind it. */
function endOf(unit: Uint8Array): number {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end -= 1;
  return end;
}

/** Two zeros and a byte below 3 mark the beginning of a unit elsewhere: a writer never leaves them within one. */
function hasForbiddenRun(unit: Uint8Array): boolean {
  const end = endOf(unit);
  let zeros = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = unit[at] ?? 0;
    if (zeros >= 2 && byte < 3) return true;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return false;
}

function lengthIn(data: Uint8Array, at: number, bytes: number): number {
  let length = 0;
  for (let index = 0; index < bytes; index += 1) length = length * 256 + (data[at + index] ?? 0);
  return length;
}

/** Do the units of a packet add up to it? */
function unitFlaw(data: Uint8Array, { isHead }: UnitForm, lengthBytes: number): string | undefined {
  for (let at = 0; at < data.length; ) {
    const length = lengthIn(data, at, lengthBytes);
    const begin = at + lengthBytes;
    if (length === 0 || begin + length > data.length) return 'its units do not add up to its length';
    const unit = data.subarray(begin, begin + length);
    if (!isHead(unit[0] ?? 0)) return 'it begins with what no unit begins with';
    if (hasForbiddenRun(unit)) return 'it holds bytes that no encoder writes';
    at = begin + length;
  }
  return undefined;
}

/** What is wrong with one packet; undefined: nothing that can be seen without decoding it. */
type Look = (packet: EncodedPacket) => string | undefined;

async function lookFor(track: InputTrack): Promise<Look> {
  const form = track.isVideoTrack() ? FORMS[(await track.getCodec()) ?? ''] : undefined;
  const description = track.isVideoTrack() ? (await track.getDecoderConfig())?.description : undefined;
  if (form === undefined || description === undefined) return () => undefined;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  const lengthBytes = ((bytes[form.lengthAt] ?? 3) & 3) + 1;
  return ({ data }) => unitFlaw(data, form, lengthBytes);
}

async function trackFlaw(track: InputTrack): Promise<string | undefined> {
  const { EncodedPacketSink } = await import('mediabunny');
  const look = await lookFor(track);
  const kind = track.isVideoTrack() ? 'frame' : 'piece of sound';
  let count = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    count += 1;
    const flaw = packet.data.length === 0 ? 'it is empty' : look(packet);
    if (flaw !== undefined) return `${kind} ${count} can not be played: ${flaw}`;
  }
  return count === 0 ? `there is no ${kind} in it` : undefined;
}

async function flawIn(input: Input): Promise<string | undefined> {
  for (const track of await input.getTracks()) {
    const flaw = await trackFlaw(track);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/**
 * Why the bytes of a film in MP4 or MOV can not be played, though its tables may be read; undefined where nothing shows.
 *
 * Every packet of every track is there, and those of H.264 and H.265 are cut into units that add up. Decodes nothing:
 * what is damaged within a unit shows where it is overwritten by zeros, and not where it is other noise. Never throws.
 */
export async function tryFindFilmFlaw(bytes: Uint8Array): Promise<string | undefined> {
  const { BufferSource, Input, MP4, QTFF } = await import('mediabunny');
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF] });
  try {
    mustBeWhole('mp4', viewOf(bytes));
    return await flawIn(input);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    input.dispose();
  }
}

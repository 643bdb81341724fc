import type { EncodedPacket, Input, InputTrack } from 'mediabunny';
import { viewOf } from './byte-view.ts';
import { loadParser } from './recording.ts';
import { checkComplete, MOST_SAMPLES } from './recording-tables.ts';

/** The way a codec splits frames into units, each after its length. */
interface UnitForm {
  /** The position of the length's size in the decoder configuration. */
  readonly lengthAt: number;
  /** Accepts the first byte of a unit. */
  readonly isHead: (byte: number) => boolean;
}

/** The first bit of a unit is always 0; in H.264 files, unit types from 24 on are unused. */
const FORMS: Readonly<Record<string, UnitForm>> = {
  avc: { lengthAt: 4, isHead: (byte) => byte < 0x80 && (byte & 0x1f) >= 1 && (byte & 0x1f) <= 23 },
  hevc: { lengthAt: 21, isHead: (byte) => byte < 0x80 },
};

/** The end of a unit without the zeros that some writers append. */
function endOf(unit: Uint8Array): number {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end -= 1;
  return end;
}

/** Two zeros and a byte below 3 are a start code elsewhere: encoders never leave them within a unit. */
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

/** Checks that the units of a packet add up to its length. */
function unitFlaw(data: Uint8Array, { isHead }: UnitForm, lengthBytes: number): string | undefined {
  for (let at = 0; at < data.length; ) {
    const length = lengthIn(data, at, lengthBytes);
    const begin = at + lengthBytes;
    if (length === 0 || begin + length > data.length) return 'its units do not add up to its length';
    const unit = data.subarray(begin, begin + length);
    if (!isHead(unit[0] ?? 0)) return 'a unit starts with an invalid byte';
    if (hasForbiddenRun(unit)) return 'it contains bytes that no encoder writes';
    at = begin + length;
  }
  return undefined;
}

/** Returns the flaw of a packet; undefined when none is visible without decoding. */
type CheckPacket = (packet: EncodedPacket) => string | undefined;

async function packetCheckFor(track: InputTrack): Promise<CheckPacket> {
  const form = track.isVideoTrack() ? FORMS[(await track.getCodec()) ?? ''] : undefined;
  const description = track.isVideoTrack() ? (await track.getDecoderConfig())?.description : undefined;
  if (form === undefined || description === undefined) return () => undefined;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  const lengthBytes = ((bytes[form.lengthAt] ?? 3) & 3) + 1;
  return ({ data }) => unitFlaw(data, form, lengthBytes);
}

/** The packets that a file can still have. Tables that show the same bytes again and again would never end. */
interface PacketBudget {
  bytes: number;
  packets: number;
}

async function trackFlaw(track: InputTrack, left: PacketBudget): Promise<string | undefined> {
  const { EncodedPacketSink } = await loadParser();
  const check = await packetCheckFor(track);
  const kind = track.isVideoTrack() ? 'frame' : 'audio packet';
  let count = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    count += 1;
    left.bytes -= packet.data.length;
    left.packets -= 1;
    if (left.bytes < 0) return 'its tables show more bytes than it has';
    if (left.packets < 0) return 'it has too many packets';
    const flaw = packet.data.length === 0 ? 'it is empty' : check(packet);
    if (flaw !== undefined) return `${kind} ${count} cannot be played: ${flaw}`;
  }
  return count === 0 ? `there is no ${kind} in it` : undefined;
}

async function flawIn(input: Input, left: PacketBudget): Promise<string | undefined> {
  for (const track of await input.getTracks()) {
    const flaw = await trackFlaw(track, left);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/**
 * Finds the reason why an MP4 or MOV video cannot be played although its tables are readable; undefined when there is
 * none.
 *
 * Checks that every packet of every track is present, and that the units of H.264 and H.265 packets add up. Decodes
 * nothing: damage within a unit is detected if it is zeros, but not if it is other noise. Never throws.
 */
export async function tryFindVideoFlaw(bytes: Uint8Array): Promise<string | undefined> {
  const { BufferSource, Input, MP4, QTFF } = await loadParser();
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF] });
  try {
    checkComplete('mp4', viewOf(bytes));
    return await flawIn(input, { bytes: bytes.length, packets: MOST_SAMPLES });
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    input.dispose();
  }
}

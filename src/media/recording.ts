import type { EncodedPacket, Input, InputAudioTrack, InputFormat, InputVideoTrack } from 'mediabunny';
import type { MediaFacts } from '../domain/index.ts';
import { viewOf } from './byte-view.ts';
import { mustBeWhole } from './recording-parts.ts';

/** Names that codecs have in limits and in words. */
const CODEC_NAMES: Readonly<Record<string, string>> = { avc: 'h264', hevc: 'h265' };

/** So many frames tell the average well enough: more than the longest clip that any limit allows. */
const FRAMES_TO_COUNT = 5000;

const codecName = (codec: string | null): string => {
  if (codec === null) return 'unknown';
  return codec.startsWith('pcm-') ? 'pcm' : (CODEC_NAMES[codec] ?? codec);
};

/** Time bases make 23.976023976… of what everybody calls 23.976. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Frames a second, from when they begin: the length of the last one is often wrong. The library's own count would go
 * through all of a hostile film.
 */
async function frameRate(packets: AsyncIterable<EncodedPacket>): Promise<number> {
  let [count, first, last, length] = [0, Infinity, -Infinity, 0];
  for await (const { timestamp, duration } of packets) {
    count += 1;
    first = Math.min(first, timestamp);
    last = Math.max(last, timestamp);
    length = duration;
    if (count === FRAMES_TO_COUNT) break;
  }
  return count > 1 ? (count - 1) / (last - first) : 1 / length;
}

async function filmFacts(film: InputVideoTrack): Promise<Partial<MediaFacts>> {
  const { EncodedPacketSink } = await import('mediabunny');
  const fps = rounded(
    await frameRate(new EncodedPacketSink(film).packets(undefined, undefined, { metadataOnly: true })),
  );
  return {
    width: await film.getDisplayWidth(),
    height: await film.getDisplayHeight(),
    ...(Number.isFinite(fps) ? { fps } : {}),
    videoCodec: codecName(await film.getCodec()),
  };
}

async function readTracks(input: Input, head: { format: string; bytes: number }): Promise<MediaFacts | undefined> {
  const film = await input.getPrimaryVideoTrack();
  const sound: InputAudioTrack | null = await input.getPrimaryAudioTrack();
  if (!film && !sound) return undefined;
  const seconds = rounded(await input.computeDuration());
  if (!(seconds > 0)) return undefined;
  const audioCodec = sound && codecName(await sound.getCodec());
  if (film) return { kind: 'video', ...head, seconds, ...(await filmFacts(film)), audioCodec };
  return {
    kind: 'audio',
    ...head,
    format: SOUND_FORMATS[head.format] ?? head.format,
    seconds,
    audioCodec,
    videoCodec: null,
  };
}

/** What a film's format is called when there is only sound in it. */
const SOUND_FORMATS: Readonly<Record<string, string>> = { mp4: 'm4a', mov: 'm4a' };

/** What a film or a sound is; undefined or an error when it can not be read. Reads tables of samples, decodes nothing. */
export async function readRecording(format: string, bytes: Uint8Array): Promise<MediaFacts | undefined> {
  mustBeWhole(format, viewOf(bytes));
  const { BufferSource, Input, MP3, MP4, QTFF, WAVE } = await import('mediabunny');
  const formats: Readonly<Record<string, readonly InputFormat[]>> = {
    mp4: [MP4],
    mov: [QTFF],
    wav: [WAVE],
    mp3: [MP3],
  };
  const input = new Input({ source: new BufferSource(bytes), formats: [...(formats[format] ?? [])] });
  try {
    return await readTracks(input, { format, bytes: bytes.length });
  } finally {
    input.dispose();
  }
}

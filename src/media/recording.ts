import type { EncodedPacket, Input, InputAudioTrack, InputFormat, InputVideoTrack } from 'mediabunny';
import type { MediaFacts } from '../domain/index.ts';
import { viewOf } from './byte-view.ts';
import { checkComplete } from './recording-tables.ts';

/** Loads the parser, silenced: its warnings repeat characters of the file, which a terminal would obey. */
export async function loadParser() {
  const parser = await import('mediabunny');
  parser.Logging.level = parser.LogLevel.Silent;
  return parser;
}

/** The names of codecs in limits and messages. */
const CODEC_NAMES: Readonly<Record<string, string>> = { avc: 'h264', hevc: 'h265' };

/** Enough frames for the average: more than the longest clip that any limit allows. */
const FRAMES_TO_COUNT = 5000;

const codecName = (codec: string | null): string => {
  if (codec === null) return 'unknown';
  return codec.startsWith('pcm-') ? 'pcm' : (CODEC_NAMES[codec] ?? codec);
};

/** Rounds 23.976023976…, a result of time bases, to the usual 23.976. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Computes the frame rate from the start times, because the duration of the last frame is often wrong. The library's own
 * count would read all of a hostile video.
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

async function videoFacts(video: InputVideoTrack): Promise<Partial<MediaFacts>> {
  const { EncodedPacketSink } = await loadParser();
  const fps = rounded(
    await frameRate(new EncodedPacketSink(video).packets(undefined, undefined, { metadataOnly: true })),
  );
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    ...(Number.isFinite(fps) ? { fps } : {}),
    videoCodec: codecName(await video.getCodec()),
  };
}

async function readTracks(input: Input, head: { format: string; bytes: number }): Promise<MediaFacts | undefined> {
  const video = await input.getPrimaryVideoTrack();
  const sound: InputAudioTrack | null = await input.getPrimaryAudioTrack();
  if (!video && !sound) return undefined;
  const seconds = rounded(await input.computeDuration());
  if (!(seconds > 0)) return undefined;
  const audioCodec = sound && codecName(await sound.getCodec());
  if (video) return { kind: 'video', ...head, seconds, ...(await videoFacts(video)), audioCodec };
  return {
    kind: 'audio',
    ...head,
    format: SOUND_FORMATS[head.format] ?? head.format,
    seconds,
    audioCodec,
    videoCodec: null,
  };
}

/** The names of video formats for files with sound only. */
const SOUND_FORMATS: Readonly<Record<string, string>> = { mp4: 'm4a', mov: 'm4a' };

/** Reads the facts about a video or sound; undefined, or throws, when it is damaged. Reads sample tables, decodes nothing. */
export async function readRecording(format: string, bytes: Uint8Array): Promise<MediaFacts | undefined> {
  checkComplete(format, viewOf(bytes));
  const { BufferSource, Input, MP3, MP4, QTFF, WAVE } = await loadParser();
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

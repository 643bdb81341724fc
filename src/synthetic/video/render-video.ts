import { encode } from '../image/render-image.ts';
import { canvasOf } from './blocks.ts';
import { markerAt, markerMove, type Scene, sceneFor, type VideoSpec, withMarker } from './scene.ts';
import { changedPicture, intraPicture } from './slices.ts';
import {
  BASELINE,
  CONSTRAINTS,
  decoderDescription,
  levelFor,
  pictureParameters,
  prefixed,
  sequenceParameters,
  type VideoFrame,
  videoFrame,
} from './units.ts';

const DEFAULT_FPS = 24;
/** The interval between IDR pictures, for players that seek. */
const SECONDS_BETWEEN_IDR = 5;

interface VideoPlan {
  readonly frame: VideoFrame;
  readonly fps: number;
  readonly count: number;
  readonly scene: Scene;
}

const even = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

async function planVideo(spec: VideoSpec): Promise<VideoPlan> {
  const frame = videoFrame(even(spec.width), even(spec.height));
  const fps = spec.fps ?? DEFAULT_FPS;
  return { frame, fps, count: Math.max(1, Math.round(spec.seconds * fps)), scene: await sceneFor(spec, frame) };
}

interface EncodedFrame {
  readonly isKey: boolean;
  readonly bytes: Uint8Array;
}

/** Encodes every frame. */
function* frames({ frame, fps, count, scene }: VideoPlan): Generator<EncodedFrame> {
  const middle = scene.last ? Math.floor(count / 2) : count;
  const between = Math.ceil(fps * SECONDS_BETWEEN_IDR);
  let idr = 0;
  let since = 0;
  for (let index = 0; index < count; index += 1) {
    const picture = index >= middle && scene.last ? scene.last : scene.first;
    const marker = markerAt(frame, index / count);
    if (index === 0 || index === middle || since === between) {
      since = 0;
      // The ids of two consecutive IDR pictures must differ.
      yield { isKey: true, bytes: intraPicture(frame, withMarker(picture, marker), { idr: idr++ % 2 }) };
    } else {
      const moved = markerMove(picture, markerAt(frame, (index - 1) / count), marker);
      yield { isKey: false, bytes: changedPicture(frame, moved, { number: since }) };
    }
    since += 1;
  }
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');

/**
 * Renders a video as MP4: H.264, and AAC of the same length where sound is requested. It has the requested length to
 * within a frame, shows the text, begins and ends with the given images, and something moves in it.
 *
 * Frames are coded without an encoder: blocks are stored raw, or copied from a neighbour.
 */
export async function renderVideo(spec: VideoSpec): Promise<Uint8Array> {
  const { BufferTarget, EncodedAudioPacketSource, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } =
    await import('mediabunny');
  const plan = await planVideo(spec);
  const { frame, fps, count } = plan;
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { frameRate: fps });
  const sound = spec.audio ? new EncodedAudioPacketSource('aac') : undefined;
  if (sound) output.addAudioTrack(sound);
  await output.start();
  let index = 0;
  for (const { isKey, bytes } of frames(plan)) {
    const packet = new EncodedPacket(prefixed(bytes), isKey ? 'key' : 'delta', index / fps, 1 / fps);
    await video.add(packet, index === 0 ? { decoderConfig: videoConfig(frame, fps) } : undefined);
    index += 1;
  }
  const length = TONE.samples / TONE.sampleRate;
  for (let at = 0; sound && (at + 0.5) * length < count / fps; at += 1) {
    const packet = new EncodedPacket(TONE.frame, 'key', at * length, length);
    await sound.add(packet, at === 0 ? { decoderConfig: soundConfig() } : undefined);
  }
  await output.finalize();
  return stripTimestamps(new Uint8Array(target.buffer as ArrayBuffer));
}

const videoConfig = (frame: VideoFrame, fps: number) => ({
  codec: `avc1.${hex(BASELINE)}${hex(CONSTRAINTS)}${hex(levelFor(frame, fps))}`,
  codedWidth: frame.width,
  codedHeight: frame.height,
  description: decoderDescription(sequenceParameters(frame, fps), pictureParameters()),
});

const soundConfig = () => ({
  codec: TONE.codec,
  sampleRate: TONE.sampleRate,
  numberOfChannels: 1,
  description: TONE.description,
});

/** Renders the last frame of that video as PNG in the same size, without its watermark. */
export async function renderLastFrame(spec: VideoSpec): Promise<Uint8Array> {
  const { frame, count, scene } = await planVideo({ ...spec, watermark: false });
  const picture = withMarker(scene.last ?? scene.first, markerAt(frame, (count - 1) / count));
  return encode(canvasOf(frame, picture), { format: 'png' });
}

const TIMED_BOXES = ['mvhd', 'tkhd', 'mdhd'];

/** Finds the names of the boxes of a type among the first bytes of a file. */
function* namesIn(head: Buffer, name: string): Generator<number> {
  for (let at = head.indexOf(name, 0, 'latin1'); at >= 0; at = head.indexOf(name, at + 4, 'latin1')) yield at;
}

/**
 * Removes the creation times from an MP4 whose tables come first: the muxer writes the machine's clock, and equal specs
 * must give equal bytes. ISO/IEC 14496-12, 8.2.2: after its name a box has a version and three bytes of flags, then two
 * times of four bytes each.
 */
function stripTimestamps(mp4: Uint8Array): Uint8Array {
  const file = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.byteLength);
  const tables = file.subarray(0, Math.max(0, file.indexOf('mdat', 0, 'latin1')));
  for (const box of TIMED_BOXES) for (const at of namesIn(tables, box)) tables.fill(0, at + 8, at + 16);
  return mp4;
}

/**
 * One AAC-LC frame of a quiet tone: 44,100 Hz, one channel, 1,024 samples, which are ten whole periods, so that the frame
 * can be repeated endlessly. Created with
 * `ffmpeg -f lavfi -i sine=frequency=430.6640625:sample_rate=44100 -af volume=0.25 -ac 1 -c:a aac -b:a 24k -f adts tone.aac`,
 * taking a frame from the middle without its ADTS header.
 */
const FRAME = 'AT4vADZyGARCARVoRDpH//D/t/+1//j9+Xxvme3Ml+POmP+ZzWgAXN6aNHDLsTx954rTRVa4kcIySIlIkhQUiSUUAo4=';

const TONE = {
  frame: new Uint8Array(Buffer.from(FRAME, 'base64')),
  sampleRate: 44_100,
  samples: 1024,
  /** AudioSpecificConfig: AAC-LC, 44,100 Hz, one channel. */
  description: new Uint8Array([0x12, 0x08]),
  codec: 'mp4a.40.2',
} as const;

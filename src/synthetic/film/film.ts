import { encode } from '../picture/paint.ts';
import { canvasOf } from './blocks.ts';
import { changedPicture, intraPicture } from './pictures.ts';
import { type FilmOrder, markerAt, markerMove, type Scene, sceneFor, withMarker } from './scene.ts';
import { timeless } from './strip-timestamps.ts';
import { TONE } from './tone.ts';
import {
  BASELINE,
  CONSTRAINTS,
  decoderDescription,
  type FilmFrame,
  filmFrame,
  levelFor,
  pictureParameters,
  prefixed,
  sequenceParameters,
} from './units.ts';

const DEFAULT_FPS = 24;
/** A picture of its own so often, for players that jump. */
const SECONDS_BETWEEN_IDR = 5;

interface Shot {
  readonly frame: FilmFrame;
  readonly fps: number;
  readonly count: number;
  readonly scene: Scene;
}

const even = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

async function shotFor(order: FilmOrder): Promise<Shot> {
  const frame = filmFrame(even(order.width), even(order.height));
  const fps = order.fps ?? DEFAULT_FPS;
  return { frame, fps, count: Math.max(1, Math.round(order.seconds * fps)), scene: await sceneFor(order, frame) };
}

interface Coded {
  readonly isKey: boolean;
  readonly bytes: Uint8Array;
}

/** Every frame of the shot, coded. */
function* frames({ frame, fps, count, scene }: Shot): Generator<Coded> {
  const middle = scene.last ? Math.floor(count / 2) : count;
  const between = Math.ceil(fps * SECONDS_BETWEEN_IDR);
  let idr = 0;
  let since = 0;
  for (let index = 0; index < count; index += 1) {
    const picture = index >= middle && scene.last ? scene.last : scene.first;
    const marker = markerAt(frame, index / count);
    if (index === 0 || index === middle || since === between) {
      since = 0;
      // The numbers of two pictures of their own that follow each other must differ.
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
 * A film as MP4: H.264, and AAC of the same length where sound is asked for. It is as long as asked to within a frame,
 * shows the text, begins and ends with the given pictures, and something moves in it.
 *
 * Its pictures are coded without an encoder: blocks as they are, or copied from a neighbour.
 */
export async function film(order: FilmOrder): Promise<Uint8Array> {
  const { BufferTarget, EncodedAudioPacketSource, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } =
    await import('mediabunny');
  const shot = await shotFor(order);
  const { frame, fps, count } = shot;
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { frameRate: fps });
  const sound = order.audio ? new EncodedAudioPacketSource('aac') : undefined;
  if (sound) output.addAudioTrack(sound);
  await output.start();
  let index = 0;
  for (const { isKey, bytes } of frames(shot)) {
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
  return timeless(new Uint8Array(target.buffer as ArrayBuffer));
}

const videoConfig = (frame: FilmFrame, fps: number) => ({
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

/** The last frame of that film as PNG, of the same size, without its watermark. */
export async function lastFrameOf(order: FilmOrder): Promise<Uint8Array> {
  const { frame, count, scene } = await shotFor({ ...order, watermark: false });
  const picture = withMarker(scene.last ?? scene.first, markerAt(frame, (count - 1) / count));
  return encode(canvasOf(frame, picture), { format: 'png' });
}

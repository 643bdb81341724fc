import { readMediaFacts } from '../../../media/index.ts';
import { type FilmOrder, film, lastFrameOf } from '../../../synthetic/index.ts';
import { tryParseDataUri } from '../../../wire/index.ts';
import type { GatewayContext } from '../../context.ts';
import { tryFindTaskFlaw, withFilmFlaw } from '../../failures/task-flaws.ts';
import { hashText } from '../../inference/content.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import { type FrameSize, frameSizeFor } from './frame-size.ts';
import { parseVideoRequest, type VideoRequest } from './video-request.ts';

const DEFAULT_SECONDS = 5;
/** No family goes beyond 15; those whose limits are not shown are kept from filling the machine. */
const MAX_SECONDS = 60;

/** Whole seconds; what is not told, or is left to the model, takes five. */
export function secondsFor({ seconds }: VideoRequest): number {
  if (seconds === undefined || seconds <= 0) return DEFAULT_SECONDS;
  return Math.min(MAX_SECONDS, Math.max(1, Math.round(seconds)));
}

/** The bytes of a picture that is at hand: in a data URI, or hosted here. No URL is fetched for a film. */
function tryFindPicture(context: GatewayContext, source: string | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined;
  const hosted = /^mm_file:\/\/(.+)$/.exec(source)?.[1];
  if (hosted !== undefined) return context.ledger.files.tryFind(hosted, context.clock.now())?.bytes;
  return tryParseDataUri(source)?.bytes;
}

/** What can be read of a picture and not be decoded here: a film follows its proportions and does not show it. */
const NOT_DECODABLE = ['heic', 'heif', 'bmp'];

async function frameIn(bytes: Uint8Array): Promise<FrameSize | undefined> {
  const facts = await readMediaFacts(bytes);
  if (facts?.kind !== 'image' || facts.width === undefined || facts.height === undefined) return undefined;
  return { width: facts.width, height: facts.height };
}

/** The size of the first of these pictures that can be read. */
async function firstFrameSize(context: GatewayContext, sources: readonly string[]): Promise<FrameSize | undefined> {
  for (const source of sources) {
    const bytes = tryFindPicture(context, source);
    const frame = bytes && (await frameIn(bytes));
    if (frame) return frame;
  }
  return undefined;
}

/** A picture that the film can begin or end with. */
async function shownPicture(context: GatewayContext, source: string | undefined): Promise<Uint8Array | undefined> {
  const bytes = tryFindPicture(context, source);
  const facts = bytes && (await readMediaFacts(bytes));
  return facts?.kind === 'image' && !NOT_DECODABLE.includes(facts.format) ? bytes : undefined;
}

/** What film a task is to become: the same from the same request. */
async function filmOrderFor(context: GatewayContext, task: StoredTask): Promise<FilmOrder> {
  const video = parseVideoRequest(task.family, context.ledger.tasks.requestOf(task.task_id));
  const [firstFrame, lastFrame] = [
    await shownPicture(context, video.firstFrame),
    await shownPicture(context, video.lastFrame),
  ];
  const order: FilmOrder = {
    text: video.text,
    seed: hashText(video.text),
    ...frameSizeFor(video, await firstFrameSize(context, video.pictures)),
    seconds: secondsFor(video),
    audio: video.audio,
    watermark: video.watermark,
    ...(firstFrame ? { firstFrame } : {}),
    ...(lastFrame ? { lastFrame } : {}),
  };
  return withFilmFlaw(order, tryFindTaskFlaw(context, task));
}

/** The MP4 of a task, made when it is first requested. */
export const filmOf = (context: GatewayContext, task: StoredTask): Promise<Uint8Array> =>
  context.videos.getOrMake(`${task.task_id}.mp4`, async () => film(await filmOrderFor(context, task)));

/** The PNG of a video's last frame. Contract: watermark-free, same pixel size as the video. */
export const lastFrameFor = (context: GatewayContext, task: StoredTask): Promise<Uint8Array> =>
  context.videos.getOrMake(`${task.task_id}.png`, async () => lastFrameOf(await filmOrderFor(context, task)));

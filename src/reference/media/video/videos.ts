import { readMediaFacts } from '../../../media/index.ts';
import { renderLastFrame, renderVideo, type VideoSpec } from '../../../synthetic/index.ts';
import { tryParseDataUri } from '../../../wire/index.ts';
import type { GatewayContext } from '../../context.ts';
import { tryFindTaskFlaw, withVideoFlaw } from '../../failures/task-flaws.ts';
import { hashText } from '../../inference/content.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import { type FrameSize, frameSizeFor } from './frame-size.ts';
import { type ParsedVideoRequest, parseVideoRequest } from './video-request.ts';

const DEFAULT_SECONDS = 5;
/** No documented family exceeds 15 seconds. This limit protects the machine from the others. */
const MAX_SECONDS = 60;

/** The duration in whole seconds: five if it is omitted or left to the model. */
export function secondsFor({ seconds }: ParsedVideoRequest): number {
  if (seconds === undefined || seconds <= 0) return DEFAULT_SECONDS;
  return Math.min(MAX_SECONDS, Math.max(1, Math.round(seconds)));
}

/** Reads an image from a data URI or from this gateway's files. Videos fetch no URLs. */
function tryFindImage(context: GatewayContext, source: string | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined;
  const hosted = /^mm_file:\/\/(.+)$/.exec(source)?.[1];
  if (hosted !== undefined) return context.ledger.files.tryFind(hosted, context.clock.now())?.bytes;
  return tryParseDataUri(source)?.bytes;
}

/** Formats that cannot be decoded here. A video follows the proportions of such an image and does not show it. */
const NOT_DECODABLE = ['heic', 'heif', 'bmp'];

async function frameIn(bytes: Uint8Array): Promise<FrameSize | undefined> {
  const facts = await readMediaFacts(bytes);
  if (facts?.kind !== 'image' || facts.width === undefined || facts.height === undefined) return undefined;
  return { width: facts.width, height: facts.height };
}

/** The size of the first of these images that is readable. */
async function firstFrameSize(context: GatewayContext, sources: readonly string[]): Promise<FrameSize | undefined> {
  for (const source of sources) {
    const bytes = tryFindImage(context, source);
    const frame = bytes && (await frameIn(bytes));
    if (frame) return frame;
  }
  return undefined;
}

/** An image that the video can show as its first or last frame. */
async function tryFindFrame(context: GatewayContext, source: string | undefined): Promise<Uint8Array | undefined> {
  const bytes = tryFindImage(context, source);
  const facts = bytes && (await readMediaFacts(bytes));
  return facts?.kind === 'image' && !NOT_DECODABLE.includes(facts.format) ? bytes : undefined;
}

/** The spec of a task's video, which is the same for the same request. */
async function videoSpecFor(context: GatewayContext, task: StoredTask): Promise<VideoSpec> {
  const video = parseVideoRequest(task.family, context.ledger.tasks.requestOf(task.task_id));
  const [firstFrame, lastFrame] = [
    await tryFindFrame(context, video.firstFrame),
    await tryFindFrame(context, video.lastFrame),
  ];
  const spec: VideoSpec = {
    text: video.text,
    seed: hashText(video.text),
    ...frameSizeFor(video, await firstFrameSize(context, video.images)),
    seconds: secondsFor(video),
    audio: video.audio,
    watermark: video.watermark,
    ...(firstFrame ? { firstFrame } : {}),
    ...(lastFrame ? { lastFrame } : {}),
  };
  return withVideoFlaw(spec, tryFindTaskFlaw(context, task));
}

/** The MP4 of a task, made when it is first requested. */
export const videoOf = (context: GatewayContext, task: StoredTask): Promise<Uint8Array> =>
  context.videos.getOrMake(`${task.task_id}.mp4`, async () => renderVideo(await videoSpecFor(context, task)));

/** The PNG of a video's last frame. Contract: watermark-free, same pixel size as the video. */
export const lastFrameFor = (context: GatewayContext, task: StoredTask): Promise<Uint8Array> =>
  context.videos.getOrMake(`${task.task_id}.png`, async () => renderLastFrame(await videoSpecFor(context, task)));

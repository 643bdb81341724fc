import { readMediaFacts } from '../../../media/index.ts';
import type { FilmOrder } from '../../../synthetic/index.ts';
import { tryParseDataUri } from '../../../wire/index.ts';
import type { Site } from '../../context.ts';
import { flawedOrder } from '../../failures/films.ts';
import { taskFlawOf } from '../../failures/task-flaws.ts';
import { seedFrom } from '../../inference/content.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import { type FrameSize, frameSizeFor } from './frame-size.ts';
import { type VideoWish, wishIn } from './video-request.ts';

const DEFAULT_SECONDS = 5;
/** No family goes beyond 15; those whose limits are not shown are kept from filling the machine. */
const MAX_SECONDS = 60;

/** Whole seconds; what is not told, or is left to the model, takes five. */
export function secondsFor({ seconds }: VideoWish): number {
  if (seconds === undefined || seconds <= 0) return DEFAULT_SECONDS;
  return Math.min(MAX_SECONDS, Math.max(1, Math.round(seconds)));
}

/** The bytes of a picture that is at hand: in a data URI, or hosted here. No URL is fetched for a film. */
function tryFindPicture(site: Site, source: string | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined;
  const hosted = /^mm_file:\/\/(.+)$/.exec(source)?.[1];
  if (hosted !== undefined) return site.ledger.files.tryFind(hosted, site.clock.now())?.bytes;
  return tryParseDataUri(source)?.bytes;
}

/** What can be read of a picture and not be decoded here: a film follows its proportions and does not show it. */
const OPAQUE = ['heic', 'heif', 'bmp'];

async function frameIn(bytes: Uint8Array): Promise<FrameSize | undefined> {
  const facts = await readMediaFacts(bytes);
  if (facts?.kind !== 'image' || facts.width === undefined || facts.height === undefined) return undefined;
  return { width: facts.width, height: facts.height };
}

/** The size of the first of these pictures that can be read. */
async function firstFrameSize(site: Site, sources: readonly string[]): Promise<FrameSize | undefined> {
  for (const source of sources) {
    const bytes = tryFindPicture(site, source);
    const frame = bytes && (await frameIn(bytes));
    if (frame) return frame;
  }
  return undefined;
}

/** A picture that the film can begin or end with. */
async function shownPicture(site: Site, source: string | undefined): Promise<Uint8Array | undefined> {
  const bytes = tryFindPicture(site, source);
  const facts = bytes && (await readMediaFacts(bytes));
  return facts?.kind === 'image' && !OPAQUE.includes(facts.format) ? bytes : undefined;
}

/** What film a task is to become: the same from the same request. */
export async function filmOrderFor(site: Site, task: StoredTask): Promise<FilmOrder> {
  const wish = wishIn(task.family, site.ledger.tasks.requestOf(task.task_id));
  const [firstFrame, lastFrame] = [await shownPicture(site, wish.firstFrame), await shownPicture(site, wish.lastFrame)];
  const order: FilmOrder = {
    text: wish.text,
    seed: seedFrom(wish.text),
    ...frameSizeFor(wish, await firstFrameSize(site, wish.pictures)),
    seconds: secondsFor(wish),
    audio: wish.audio,
    watermark: wish.watermark,
    ...(firstFrame ? { firstFrame } : {}),
    ...(lastFrame ? { lastFrame } : {}),
  };
  return flawedOrder(order, taskFlawOf(site, task));
}

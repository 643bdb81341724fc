import type { GatewayContext } from '../../context.ts';
import { linkedFilm } from '../../failures/films.ts';
import { tryFindTaskFlaw } from '../../failures/task-flaws.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import { REQUEST_ID_LENGTH, randomText } from '../../random.ts';
import type { Answer } from '../../server/answer.ts';
import { rangedFile } from './byte-range.ts';
import { filmOf, lastFrameFor } from './films.ts';
import { needsDownload } from './task-record.ts';
import { parseVideoRequest } from './video-request.ts';

/** Results are linked to for a day of the gateway's clock, as those of hosted images. */
const LINK_SECONDS = 24 * 3600;

interface File {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

type Maker = (context: GatewayContext, task: StoredTask) => Promise<File | undefined>;

/** What a task has made, by the extension of its name. */
const RESULTS: Readonly<Record<string, Maker>> = {
  mp4: async (context, task) => ({
    mediaType: 'video/mp4',
    bytes: linkedFilm(await filmOf(context, task), tryFindTaskFlaw(context, task)),
  }),
  png: async (context, task) =>
    parseVideoRequest(task.family, context.ledger.tasks.requestOf(task.task_id)).returnsLastFrame
      ? { mediaType: 'image/png', bytes: await lastFrameFor(context, task) }
      : undefined,
};

async function tryFindResult(context: GatewayContext, id: string, extension: string): Promise<File | undefined> {
  const task = context.ledger.tasks.tryFind(id);
  if (task?.status !== 'succeeded' || needsDownload(task)) return undefined;
  const isOver = (task.settled_at ?? 0) + LINK_SECONDS <= context.clock.now();
  return isOver ? undefined : RESULTS[extension]?.(context, task);
}

async function tryFindFile(context: GatewayContext, name: string): Promise<File | undefined> {
  const [, id = '', extension = ''] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
  const stored = context.ledger.files.tryFind(id, context.clock.now());
  if (stored) return { mediaType: stored.media_type, bytes: stored.bytes };
  return tryFindResult(context, id, extension);
}

export interface FileCall {
  /** The last part of the path. */
  readonly name: string;
  readonly range?: string | undefined;
  readonly ifRange?: string | readonly string[] | undefined;
}

/**
 * `GET` and `HEAD` `/files/{name}`: a hosted image or the result of a video task, which is made when it is first asked
 * for. Whoever knows the name may have it, until its time is over.
 */
export async function serveHostedFile(context: GatewayContext, { name, range, ifRange }: FileCall): Promise<Answer> {
  const file = await tryFindFile(context, name);
  if (file === undefined) {
    const requestId = randomText(context.random, REQUEST_ID_LENGTH);
    const message = 'there is no such file, or its time is over';
    return { status: 404, body: { error: context.profile.inferenceError(message, 'file_not_found', requestId) } };
  }
  // There is no validator that such a condition could name, so it never holds.
  return rangedFile(file, ifRange === undefined ? range : undefined);
}

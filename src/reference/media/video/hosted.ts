import type { GatewayContext } from '../../context.ts';
import { linkedVideo, tryFindTaskFlaw } from '../../failures/task-flaws.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import { REQUEST_ID_LENGTH, randomText } from '../../random.ts';
import type { Answer } from '../../server/answer.ts';
import { needsDownload } from './task-record.ts';
import { parseVideoRequest } from './video-request.ts';
import { lastFrameFor, videoOf } from './videos.ts';

/** Links to results work for a day of the gateway's clock, like those of hosted images. */
const LINK_SECONDS = 24 * 3600;

interface ResultFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

type MakeResult = (context: GatewayContext, task: StoredTask) => Promise<ResultFile | undefined>;

/** The results of a task by file extension. */
const RESULTS: Readonly<Record<string, MakeResult>> = {
  mp4: async (context, task) => ({
    mediaType: 'video/mp4',
    bytes: linkedVideo(await videoOf(context, task), tryFindTaskFlaw(context, task)),
  }),
  png: async (context, task) =>
    parseVideoRequest(task.family, context.ledger.tasks.requestOf(task.task_id)).returnsLastFrame
      ? { mediaType: 'image/png', bytes: await lastFrameFor(context, task) }
      : undefined,
};

async function tryFindResult(context: GatewayContext, id: string, extension: string): Promise<ResultFile | undefined> {
  const task = context.ledger.tasks.tryFind(id);
  if (task?.status !== 'succeeded' || needsDownload(task)) return undefined;
  const isExpired = (task.settled_at ?? 0) + LINK_SECONDS <= context.clock.now();
  return isExpired ? undefined : RESULTS[extension]?.(context, task);
}

async function tryFindFile(context: GatewayContext, name: string): Promise<ResultFile | undefined> {
  const [, id = '', extension = ''] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
  const stored = context.ledger.files.tryFind(id, context.clock.now());
  if (stored) return { mediaType: stored.media_type, bytes: stored.bytes };
  return tryFindResult(context, id, extension);
}

/** The first and the last byte, both inclusive. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Reads one range. Undefined: there is no header, or one that a server may ignore. Null: the file has none of its bytes. */
function parseRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [from = '', to = ''] = parts?.slice(1) ?? [];
  if (!parts || (from === '' && to === '')) return undefined;
  if (from === '') return to === '0' || size === 0 ? null : { first: Math.max(0, size - Number(to)), last: size - 1 };
  const span = { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (to !== '' && Number(to) < span.first) return undefined;
  return span.first < size ? span : null;
}

/** The file, or the requested range of it. Source: RFC 9110, “Range Requests”. */
function rangedFile(file: { mediaType: string; bytes: Uint8Array }, range: string | undefined): Answer {
  const { mediaType, bytes } = file;
  const headers = { 'accept-ranges': 'bytes' };
  const span = parseRange(range, bytes.length);
  if (span === undefined) return { status: 200, file, headers };
  if (span === null) return { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes.length}` } };
  return {
    status: 206,
    file: { mediaType, bytes: bytes.subarray(span.first, span.last + 1) },
    headers: { ...headers, 'content-range': `bytes ${span.first}-${span.last}/${bytes.length}` },
  };
}

interface HostedFileRequest {
  /** The last part of the path. */
  readonly name: string;
  readonly range?: string | undefined;
  readonly ifRange?: string | readonly string[] | undefined;
}

/**
 * `GET` and `HEAD` `/files/{name}`: a hosted image or the result of a video task, which is made when it is first
 * requested. Anyone who knows the name may fetch it until it expires.
 */
export async function serveHostedFile(
  context: GatewayContext,
  { name, range, ifRange }: HostedFileRequest,
): Promise<Answer> {
  const file = await tryFindFile(context, name);
  if (file === undefined) {
    const requestId = randomText(context.random, REQUEST_ID_LENGTH);
    const message = 'the file does not exist or has expired';
    return {
      status: 404,
      body: { error: context.profile.inferenceError({ message, code: 'file_not_found', requestId, origin: 'relay' }) },
    };
  }
  // Files have no validator that such a condition could name, so it never holds.
  return rangedFile(file, ifRange === undefined ? range : undefined);
}

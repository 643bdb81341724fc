import { Fault } from '../../domain/index.ts';
import { type Answer, type HttpRequest, type OpenAnswer, readWhole } from '../../http/index.ts';
import { tryReadErrorBody, VideoDownload } from '../../wire/index.ts';
import { notJsonFault } from '../answer-fault.ts';
import { inContext, parseAnswer } from '../inference/ask.ts';
import type { Answered, CallOptions, InferenceLine } from '../inference/line.ts';
import { errorIn, refusalFault } from '../inference/refusal.ts';
import { type Order, requestOf } from '../inference/request.ts';
import { parsed } from '../system/call.ts';
import { keptBytes } from './kept-bytes.ts';
import { checkTaskId } from './poll.ts';
import { saveFile } from './save-file.ts';
import { Damaged, type VideoFound, videoBytes } from './video-bytes.ts';

/** A file that was saved. */
export interface SavedFile {
  readonly file: string;
  readonly bytes: number;
  readonly format?: string;
}

/** One download under way. */
interface Download {
  readonly line: InferenceLine;
  readonly request: HttpRequest;
  readonly open: OpenAnswer;
  readonly found: VideoFound;
}

/** A download that is not what was announced. */
export const damagedFault = (name: string, what: string): Fault =>
  new Fault('media.damaged', `${name}: the download is damaged: ${what}.`, {
    hint: 'No file was left behind. Downloads are free: run it again.',
  });

/**
 * Saves the video of a finished task of the download-required family. It is decoded on its way to the file; the file is
 * there whole, with the size that was announced, or not at all.
 *
 * @throws Fault `media.damaged`, `file.unwritable`, those of `ask`
 */
export async function downloadVideo(
  line: InferenceLine,
  { taskId, file }: { taskId: string; file: string },
  options: CallOptions,
): Promise<Answered<SavedFile>> {
  return downloaded({ line, taskId, options }, async (download) => {
    await saveFile(file, verified(download));
    const { format } = metaOf(download);
    return { file, bytes: download.found.bytes, ...(format ? { format } : {}) };
  });
}

/** The same, into memory. @throws Fault as `downloadVideo`; `media.damaged` for more than 256 MB */
export const readDownload = (
  line: InferenceLine,
  taskId: string,
  options: CallOptions,
): Promise<Answered<Uint8Array>> => downloaded({ line, taskId, options }, (download) => keptBytes(verified(download)));

interface Asked {
  readonly line: InferenceLine;
  readonly taskId: string;
  readonly options: CallOptions;
}

async function downloaded<T>(
  { line, taskId, options }: Asked,
  take: (download: Download) => Promise<T>,
): Promise<Answered<T>> {
  checkTaskId(taskId);
  const order: Order = { endpoint: 'downloadVideo', query: { id: taskId }, options };
  const request = requestOf(line, order);
  try {
    const open = await line.http.open(request);
    const download: Download = { line, request, open, found: { rest: '', bytes: 0 } };
    try {
      if (open.status >= 300) throw await refusalOf(download, await readWhole(open.body));
      return answered(download, await take(download));
    } finally {
      open.close();
    }
  } catch (thrown) {
    throw inContext(thrown, line, order);
  }
}

/** The bytes, and at their end the judgement on them: the file is renamed only after it. */
async function* verified(download: Download): AsyncGenerator<Uint8Array> {
  const { open, request, found } = download;
  const name = `${request.method} ${request.url.pathname}`;
  try {
    yield* videoBytes(open.body, found);
  } catch (thrown) {
    throw thrown instanceof Damaged ? damagedFault(name, thrown.message) : thrown;
  }
  const { rest, bytes } = found;
  if (parseAnswer(rest) === undefined) throw notJsonFault(request, answerOf(open, rest));
  if (tryReadErrorBody(parseAnswer(rest)) !== undefined) throw await refusalOf(download, rest);
  const { size } = metaOf(download);
  if (bytes === 0) throw damagedFault(name, 'there is no video in it');
  if (typeof size === 'number' && size !== bytes) {
    throw damagedFault(name, `it has ${bytes} bytes, and ${size} were announced`);
  }
}

function answerOf(open: OpenAnswer, text: string): Answer {
  const { status, mediaType, firstByteMs, elapsedMs, requestId } = open;
  const timing = { firstByteMs, totalMs: elapsedMs() };
  return { status, mediaType, text, timing, ...(requestId === undefined ? {} : { requestId }) };
}

function refusalOf({ line, request, open }: Download, text: string): Promise<Fault> {
  const answer = answerOf(open, text);
  return refusalFault(line, { request, answer, error: errorIn(answer) });
}

/** Deployed gateways put answers into `data`. */
function metaOf({ request, open, found }: Download) {
  const body = parseAnswer(found.rest) as { data?: unknown };
  const inner = typeof body.data === 'object' && body.data !== null ? body.data : body;
  return parsed(VideoDownload, inner, { request, answer: answerOf(open, found.rest) });
}

function answered<T>({ open, found }: Download, value: T): Answered<T> {
  const { status, timing, requestId } = answerOf(open, '');
  return {
    value,
    raw: parseAnswer(found.rest),
    status,
    timing,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

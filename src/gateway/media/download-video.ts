import * as z from 'zod';
import { Fault } from '../../domain/index.ts';
import { type HttpRequest, type HttpResponse, type OpenResponse, readText, requestName } from '../../http/index.ts';
import { tryReadErrorBody, VideoDownload } from '../../wire/index.ts';
import { tryParse, withInferenceContext } from '../inference/call.ts';
import type { Answered, CallOptions, InferenceConnection } from '../inference/connection.ts';
import { readError, rejectionFault } from '../inference/rejection.ts';
import { type EndpointCall, toHttpRequest } from '../inference/request.ts';
import { notJsonFault, parseBody } from '../response-fault.ts';
import { DamagedVideo, type ExtractedVideo, extractVideo } from './extract-video.ts';
import { checkTaskId } from './read-task.ts';
import { readIntoMemory, saveFile } from './save-bytes.ts';

/** A saved file. */
export interface SavedFile {
  /** The path of the file. */
  readonly file: string;
  /** Its size. */
  readonly bytes: number;
  /** The format that its bytes show, such as `mp4`. */
  readonly format?: string;
}

/** One download under way. */
interface Download {
  readonly connection: InferenceConnection;
  readonly request: HttpRequest;
  readonly open: OpenResponse;
  readonly extracted: ExtractedVideo;
}

/** A download that differs from its announcement. */
export const damagedDownloadFault = (name: string, problem: string): Fault =>
  new Fault('media.damaged', `${name}: the download is damaged: ${problem}.`, {
    hint: 'No file was saved. Downloads are free: run it again.',
  });

/**
 * Saves the video of a finished task of the download-required family. It is decoded while it arrives; the file is saved
 * completely, with the announced size, or not at all.
 *
 * @throws Fault `media.damaged`, `file.unwritable`, those of `callInference`
 */
export async function downloadVideo(
  connection: InferenceConnection,
  { taskId, file }: { taskId: string; file: string },
  options: CallOptions,
): Promise<Answered<SavedFile>> {
  return download({ connection, taskId, options }, async (current) => {
    await saveFile(file, verified(current));
    const { format } = metadataOf(current);
    return { file, bytes: current.extracted.bytes, ...(format ? { format } : {}) };
  });
}

/** Downloads into memory. @throws Fault as `downloadVideo`; `media.damaged` for more than 256 MB */
export const readDownload = (
  connection: InferenceConnection,
  taskId: string,
  options: CallOptions,
): Promise<Answered<Uint8Array>> =>
  download({ connection, taskId, options }, (current) => readIntoMemory(verified(current)));

interface DownloadRequest {
  readonly connection: InferenceConnection;
  readonly taskId: string;
  readonly options: CallOptions;
}

async function download<T>(
  { connection, taskId, options }: DownloadRequest,
  store: (current: Download) => Promise<T>,
): Promise<Answered<T>> {
  checkTaskId(taskId);
  const call: EndpointCall = { endpoint: 'downloadVideo', query: { id: taskId }, options };
  const request = toHttpRequest(connection, call);
  try {
    const open = await connection.http.open(request);
    const current: Download = { connection, request, open, extracted: { rest: '', bytes: 0 } };
    try {
      if (open.status >= 300) throw await rejectionOf(current, await readText(open.body));
      return toAnswered(current, await store(current));
    } finally {
      open.close();
    }
  } catch (thrown) {
    throw withInferenceContext(thrown, connection, call);
  }
}

/** Passes the bytes on and verifies them at their end: the file is renamed only after that. */
async function* verified(current: Download): AsyncGenerator<Uint8Array> {
  const { open, request, extracted } = current;
  const name = requestName(request);
  try {
    yield* extractVideo(open.body, extracted);
  } catch (thrown) {
    throw thrown instanceof DamagedVideo ? damagedDownloadFault(name, thrown.message) : thrown;
  }
  const { rest, bytes } = extracted;
  const body = tryParse(rest);
  if (body === undefined) throw notJsonFault(request, toResponse(open, rest));
  if (tryReadErrorBody(body) !== undefined) throw await rejectionOf(current, rest);
  const { size } = metadataOf(current);
  if (bytes === 0) throw damagedDownloadFault(name, 'it contains no video');
  if (typeof size === 'number' && size !== bytes) {
    throw damagedDownloadFault(name, `expected ${size} bytes, got ${bytes}`);
  }
}

function toResponse(open: OpenResponse, text: string): HttpResponse {
  const { status, mediaType, firstByteMs, elapsedMs, requestId } = open;
  const timing = { firstByteMs, totalMs: elapsedMs() };
  return { status, mediaType, text, timing, ...(requestId === undefined ? {} : { requestId }) };
}

function rejectionOf({ connection, request, open }: Download, text: string): Promise<Fault> {
  const response = toResponse(open, text);
  return rejectionFault(connection, { request, response, error: readError(response) });
}

const Wrapped = z.looseObject({ data: z.looseObject({}) });

/** Reads the metadata; deployed gateways wrap responses in `data`. */
function metadataOf({ request, open, extracted }: Download) {
  const body = tryParse(extracted.rest);
  const wrapped = Wrapped.safeParse(body);
  return parseBody(VideoDownload, wrapped.success ? wrapped.data.data : body, {
    request,
    response: toResponse(open, extracted.rest),
  });
}

function toAnswered<T>({ open, extracted }: Download, value: T): Answered<T> {
  const { status, timing, requestId } = toResponse(open, '');
  return {
    value,
    raw: tryParse(extracted.rest),
    status,
    timing,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

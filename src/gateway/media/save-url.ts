import { Fault } from '../../domain/index.ts';
import type { HttpRequest, OpenResponse } from '../../http/index.ts';
import { tryParseDataUri } from '../../wire/index.ts';
import { endpointUrl } from '../address.ts';
import { checkCallOptions } from '../inference/call-options.ts';
import { type Answered, bearerToken, type CallOptions, type InferenceConnection } from '../inference/connection.ts';
import { responseDetail } from '../response-fault.ts';
import { damagedDownloadFault, type SavedFile } from './download-video.ts';
import { readIntoMemory, saveFile } from './save-bytes.ts';

const TRANSFER = { headersMs: 60_000, bodyMs: 60_000, totalMs: 3_600_000 };
const LARGEST_FILE = 16 * 1024 ** 3;

/**
 * Saves the file behind a link of a response while it arrives. The API key is sent to the gateway's own origin only;
 * redirects are followed without it.
 *
 * @throws Fault `gateway.refused`, `media.damaged`, `file.unwritable`, those of `Http.open`
 */
export async function saveUrl(
  connection: InferenceConnection,
  { url, file }: { url: string; file: string },
  options: CallOptions,
): Promise<Answered<SavedFile>> {
  const counted = { bytes: 0 };
  return transfer({ connection, url, options }, async (chunks) => {
    await saveFile(file, counting(chunks, counted));
    return { file, bytes: counted.bytes };
  });
}

/**
 * Reads the file behind a link, or the bytes of a data URI, into memory.
 * @throws Fault as `saveUrl`; `media.damaged` for more than 256 MB
 */
export const readUrl = (
  connection: InferenceConnection,
  url: string,
  options: CallOptions,
): Promise<Answered<Uint8Array>> => transfer({ connection, url, options }, readIntoMemory);

interface Transfer {
  readonly connection: InferenceConnection;
  readonly url: string;
  readonly options: CallOptions;
}

/** Stores the bytes and returns a description of them. */
type Store<T> = (chunks: AsyncIterable<Uint8Array>) => Promise<T>;

async function transfer<T>({ connection, url, options }: Transfer, store: Store<T>): Promise<Answered<T>> {
  const inline = tryParseDataUri(url);
  if (inline) return { value: await store(single(inline.bytes)), raw: undefined, status: 200, timing: IMMEDIATE };
  checkCallOptions(options);
  const request = fileRequest(connection, url, options);
  const open = await connection.http.open(request);
  try {
    checkIsFile(request, open);
    const value = await store(notEmpty(request, open));
    const timing = { firstByteMs: open.firstByteMs, totalMs: open.elapsedMs() };
    return { value, raw: undefined, status: open.status, timing };
  } finally {
    open.close();
  }
}

const IMMEDIATE = { firstByteMs: 0, totalMs: 0 };

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function fileRequest(connection: InferenceConnection, text: string, options: CallOptions): HttpRequest {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    // Not `request.invalid`, which means that nothing was charged. The text is not repeated: it may be a secret in the wrong place.
    throw new Fault('media.damaged', 'The link of a result is not an http or https URL, nor a data URI.', {
      hint: 'Check the gateway: results are paid for before they are linked.',
    });
  }
  return requestFor(connection, reachable(connection, url), options);
}

/**
 * Returns the address of a video’s content on the configured gateway. Gateways give the one that their administrator has set,
 * which is `http://localhost:3000` until then.
 */
function reachable({ base }: InferenceConnection, url: URL): URL {
  const [path] = /\/v1\/videos\/[^/]+\/content$/.exec(url.pathname) ?? [];
  return path === undefined || url.origin === base.origin ? url : endpointUrl(base, path);
}

function requestFor(connection: InferenceConnection, url: URL, options: CallOptions): HttpRequest {
  const credentials = url.origin === connection.base.origin ? { authorization: bearerToken(connection.key) } : {};
  return {
    method: 'GET',
    url,
    headers: { accept: '*/*', 'user-agent': 'keyplane', ...credentials },
    retry: 'yes',
    effect: 'reads',
    pace: 'files',
    timeouts: { ...TRANSFER, ...options.timeouts },
    signal: options.signal,
    deadlineMs: options.timeoutMs,
    maxRetries: options.maxRetries,
    maxBytes: LARGEST_FILE,
    redirects: 'anywhere',
  };
}

/** Names the link without its query, which signs it. */
const linkName = ({ url }: HttpRequest): string => `GET ${url.host}${url.pathname}`;

function checkIsFile(request: HttpRequest, open: OpenResponse): void {
  const { status, mediaType } = open;
  if (status >= 300) {
    throw new Fault('gateway.refused', `${linkName(request)}: the server rejected the link (status ${status}).`, {
      hint: 'Links to results expire. Request the task or the image again, if possible, and use the new link.',
      detail: responseDetail(request, open),
    });
  }
  if (mediaType === 'text/html') throw damagedDownloadFault(linkName(request), 'it is a web page, not a file');
}

async function* counting(chunks: AsyncIterable<Uint8Array>, counted: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    counted.bytes += chunk.length;
    yield chunk;
  }
}

async function* notEmpty(request: HttpRequest, { body }: OpenResponse): AsyncGenerator<Uint8Array> {
  const counted = { bytes: 0 };
  yield* counting(body, counted);
  if (counted.bytes === 0) throw damagedDownloadFault(linkName(request), 'it is empty');
}

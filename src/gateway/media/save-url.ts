import { Fault } from '../../domain/index.ts';
import type { HttpRequest, OpenAnswer } from '../../http/index.ts';
import { tryParseDataUri } from '../../wire/index.ts';
import { type Answered, bearerOf, type CallOptions, type InferenceLine } from '../inference/line.ts';
import { invalidFault } from '../inference/sendable.ts';
import { damagedFault, type SavedFile } from './download.ts';
import { keptBytes } from './kept-bytes.ts';
import { saveFile } from './save-file.ts';

const TRANSFER = { headersMs: 60_000, bodyMs: 60_000, totalMs: 3_600_000 };
const LARGEST_FILE = 16 * 1024 ** 3;

/**
 * Saves what a link of an answer leads to, as it comes. The API key goes along to the gateway's own origin only, and
 * redirects lead on without it.
 *
 * @throws Fault `request.invalid`, `gateway.refused`, `media.damaged`, `file.unwritable`, those of `Http.open`
 */
export async function saveUrl(
  line: InferenceLine,
  { url, file }: { url: string; file: string },
  options: CallOptions,
): Promise<Answered<SavedFile>> {
  const counted = { bytes: 0 };
  return transferred({ line, url, options }, async (chunks) => {
    await saveFile(file, counting(chunks, counted));
    return { file, bytes: counted.bytes };
  });
}

/** The same, into memory: of a data URI, too. @throws Fault as `saveUrl`; `media.damaged` for more than 256 MB */
export const readUrl = (line: InferenceLine, url: string, options: CallOptions): Promise<Answered<Uint8Array>> =>
  transferred({ line, url, options }, keptBytes);

interface Transfer {
  readonly line: InferenceLine;
  readonly url: string;
  readonly options: CallOptions;
}

/** Where the bytes go, and what is left of them there. */
type Taking<T> = (chunks: AsyncIterable<Uint8Array>) => Promise<T>;

async function transferred<T>({ line, url, options }: Transfer, take: Taking<T>): Promise<Answered<T>> {
  const inline = tryParseDataUri(url);
  if (inline) return { value: await take(only(inline.bytes)), raw: undefined, status: 200, timing: AT_ONCE };
  const request = fileRequest(line, url, options);
  const open = await line.http.open(request);
  try {
    checkIsFile(request, open);
    const value = await take(notEmpty(request, open));
    const timing = { firstByteMs: open.firstByteMs, totalMs: open.elapsedMs() };
    return { value, raw: undefined, status: open.status, timing };
  } finally {
    open.close();
  }
}

const AT_ONCE = { firstByteMs: 0, totalMs: 0 };

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function fileRequest(line: InferenceLine, text: string, options: CallOptions): HttpRequest {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // What is no link may be a secret in the wrong place: it is not repeated.
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalidFault('File of an answer', [{ path: 'url', message: 'is no http or https URL' }]);
  }
  const home = url.origin === line.base.origin;
  return {
    method: 'GET',
    url,
    headers: { accept: '*/*', 'user-agent': 'keyplane', ...(home ? { authorization: bearerOf(line.key) } : {}) },
    retry: 'yes',
    effect: 'reads',
    pace: 'files',
    timeouts: { ...TRANSFER, ...options.timeouts },
    signal: options.signal,
    maxBytes: LARGEST_FILE,
    redirects: 'anywhere',
  };
}

/** Without the query, which signs the link. */
const placeOf = ({ url }: HttpRequest): string => `GET ${url.host}${url.pathname}`;

function checkIsFile(request: HttpRequest, open: OpenAnswer): void {
  const { status, mediaType } = open;
  if (status >= 300) {
    throw new Fault('gateway.refused', `${placeOf(request)}: the link is refused (status ${status}).`, {
      hint: 'Links to results expire. Where the task or the picture can be asked for again, take the new link.',
      detail: { method: 'GET', path: request.url.pathname, status, sent: 'yes' },
    });
  }
  if (mediaType === 'text/html') throw damagedFault(placeOf(request), 'it is a page and no file');
}

async function* counting(chunks: AsyncIterable<Uint8Array>, counted: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    counted.bytes += chunk.length;
    yield chunk;
  }
}

async function* notEmpty(request: HttpRequest, { body }: OpenAnswer): AsyncGenerator<Uint8Array> {
  const counted = { bytes: 0 };
  yield* counting(body, counted);
  if (counted.bytes === 0) throw damagedFault(placeOf(request), 'it is empty');
}

import { LONGEST_TIMER_MS } from '../../domain/index.ts';

/** The codes of gRPC that this server sends. */
export const STATUS = { ok: 0, deadlineExceeded: 4, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

/** The end of a call that core shows as an error of the transport. */
export interface CallFailure {
  readonly code: number;
  readonly details: string;
}

/** The size of the flag for compression and of the length. */
const PREFIX_BYTES = 5;

/** Returns a message with the prefix of gRPC. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  return framed;
}

/** The most that a message of core may have: what providers in Go accept. */
const MOST_MIB = 256;
const MOST_BYTES = MOST_MIB * 2 ** 20;

const internal = (details: string): CallFailure => ({ code: STATUS.internal, details });

/** Collects the only message of a request, and never more than its prefix announces. */
export interface MessageReader {
  /** Returns the reason why the request cannot be served, as soon as it is known. */
  add(chunk: Buffer): CallFailure | undefined;
  /** Returns the message, or the reason why there is none. */
  end(): Buffer | CallFailure;
}

/** @returns the size of the message with its prefix */
function announcedSize(prefix: Buffer): number | CallFailure {
  if (prefix[0] !== 0) return { code: STATUS.unimplemented, details: 'compressed messages are not supported' };
  const size = prefix.readUInt32BE(1);
  if (size <= MOST_BYTES) return PREFIX_BYTES + size;
  return { code: STATUS.resourceExhausted, details: `the message of the request is larger than ${MOST_MIB} MiB` };
}

const joined = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

export function openMessageReader(): MessageReader {
  const chunks: Buffer[] = [];
  let size = 0;
  let announced: number | CallFailure | undefined;
  return {
    add(chunk) {
      chunks.push(chunk);
      size += chunk.length;
      if (size < PREFIX_BYTES) return undefined;
      announced ??= announcedSize(joined(chunks));
      if (typeof announced !== 'number') return announced;
      return size > announced ? internal('the request has more than one message') : undefined;
    },
    end() {
      if (typeof announced !== 'number') return internal('the request has no message');
      return size < announced
        ? internal('the message of the request is incomplete')
        : joined(chunks).subarray(PREFIX_BYTES);
    },
  };
}

/** Milliseconds of each unit of a `grpc-timeout`. */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Returns the milliseconds until the deadline of a call. Undefined: it has none. */
export function parseTimeout(text: string | undefined): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(text ?? '') ?? [];
  const each = UNITS[unit];
  return digits === undefined || each === undefined ? undefined : Math.min(Number(digits) * each, LONGEST_TIMER_MS);
}

/** A header holds less than this with every client. */
const LONGEST_DETAILS = 2000;

/** Half of a surrogate pair cannot be encoded. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Returns the trailers that end a call. */
export const trailersOf = (failure?: CallFailure): Record<string, string> =>
  failure === undefined
    ? { 'grpc-status': String(STATUS.ok) }
    : {
        'grpc-status': String(failure.code),
        'grpc-message': encodeURIComponent(wellFormed(failure.details.slice(0, LONGEST_DETAILS))),
      };

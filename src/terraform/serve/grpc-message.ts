/** The codes of gRPC that this server sends. */
export const STATUS = { ok: 0, deadlineExceeded: 4, unimplemented: 12, internal: 13 } as const;

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

const internal = (details: string): CallFailure => ({ code: STATUS.internal, details });

/** Returns the only message of a request, or the reason why there is none. */
export function readOnlyMessage(chunks: readonly Buffer[]): Buffer | CallFailure {
  const [first] = chunks;
  const bytes = chunks.length === 1 && first ? first : Buffer.concat(chunks);
  if (bytes.length < PREFIX_BYTES) return internal('the request has no message');
  if (bytes[0] !== 0) return { code: STATUS.unimplemented, details: 'compressed messages are not supported' };
  const end = PREFIX_BYTES + bytes.readUInt32BE(1);
  if (bytes.length < end) return internal('the message of the request is incomplete');
  if (bytes.length > end) return internal('the request has more than one message');
  return bytes.subarray(PREFIX_BYTES);
}

/** Milliseconds of each unit of a `grpc-timeout`. */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };
/** The longest delay of a timer, about 25 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Returns the milliseconds until the deadline of a call. Undefined: it has none. */
export function parseTimeout(text: string | undefined): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(text ?? '') ?? [];
  const each = UNITS[unit];
  return digits === undefined || each === undefined ? undefined : Math.min(Number(digits) * each, LONGEST_MS);
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

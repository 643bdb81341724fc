import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The address of the client: the one that a header of these names has, if it has one, otherwise that of the connection. */
export function addressOf(request: FastifyRequest, headers: readonly string[]): string {
  const named = headers.map((name) => String(request.headers[name] ?? '')).find((address) => isIP(address) !== 0);
  return request.ips !== undefined && request.ips.length > 1 ? request.ip : (named ?? request.ip);
}

/** Reads query parameters: the first value if there are several, empty if there is none. */
export function queryReader(request: FastifyRequest): (name: string) => string {
  // A path that cannot be decoded has no query.
  const query = (request.query ?? {}) as Readonly<Record<string, string | readonly string[] | undefined>>;
  return (name) => {
    const value = query[name];
    return (typeof value === 'string' ? value : value?.[0]) ?? '';
  };
}

interface ModelPath {
  readonly model: string;
  readonly verb: string;
}

/** Splits the last segment of a path, `eta-embedding-001:embedContent`, at its last colon: a model's name may have others. */
export function modelPathIn(request: FastifyRequest): ModelPath {
  const { segment = '' } = (request.params ?? {}) as { segment?: string };
  const at = segment.lastIndexOf(':');
  return at < 0 ? { model: segment, verb: '' } : { model: segment.slice(0, at), verb: segment.slice(at + 1) };
}

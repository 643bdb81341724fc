import type { FastifyRequest } from 'fastify';

/** Reads query parameters: the first value if there are several, empty if there is none. */
export function queryReader(request: FastifyRequest): (name: string) => string {
  const query = request.query as Readonly<Record<string, string | readonly string[] | undefined>>;
  return (name) => {
    const value = query[name];
    return (typeof value === 'string' ? value : value?.[0]) ?? '';
  };
}

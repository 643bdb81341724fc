import type { FastifyRequest } from 'fastify';

/** A query parameter; empty when it is not given, its first value when it is given twice. */
export function queryReader(request: FastifyRequest): (name: string) => string {
  const query = request.query as Readonly<Record<string, string | readonly string[] | undefined>>;
  return (name) => {
    const value = query[name];
    return (typeof value === 'string' ? value : value?.[0]) ?? '';
  };
}

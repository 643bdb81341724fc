import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import { isOversizedJson } from './json-size.ts';
import { readLooseJson } from './loose-json.ts';

const TOO_LARGE = Object.assign(new Error('the body has too many values'), { statusCode: 413 });

const WRONG_TYPE = Object.assign(new Error('the body is not JSON'), { statusCode: 415 });

type Finish = (problem: Error | null, body?: unknown) => void;

/** Reports a body that is not JSON as the client's mistake. */
function finishWith(read: () => unknown, finish: Finish): void {
  let body: unknown;
  try {
    body = read();
  } catch (cause) {
    finish(Object.assign(new Error('the body is not JSON', { cause }), { statusCode: 400 }));
    return;
  }
  finish(null, body);
}

interface BodyReading {
  readonly context: GatewayContext;
  /** Is it a path of the control endpoints? They change what is stored, so they read integers exactly. */
  isControlPath(path: string): boolean;
}

/**
 * Reads JSON only; in the System API of some gateways whatever its type is. An empty body counts as none, because clients
 * send the content type with every request.
 */
export function readJsonBodies(app: FastifyInstance, { context, isControlPath }: BodyReading): void {
  const { profile, catalog } = context;
  const parse = app.getDefaultJsonParser('remove', 'remove');
  const more = Object.keys(catalog.extraFields);
  const isLoose = ({ url }: FastifyRequest): boolean => profile.readsAnyBody && url.startsWith('/api/');
  const read: FastifyBodyParser<string> = (request, body, finish) => {
    if (body === '') finish(null, undefined);
    else if (isOversizedJson(body)) finish(TOO_LARGE);
    else if (isLoose(request)) finishWith(() => readLooseJson(body, more), finish);
    else if (isControlPath(request.url)) finishWith(() => parseJson(body), finish);
    else parse(request, body, finish);
  };
  app.addContentTypeParser('application/json', { parseAs: 'string' }, read);
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('*', (_request, _body, finish) => finish(WRONG_TYPE));
  if (!profile.readsAnyBody) return;
  // Fastify looks for a parser by the type of a body, and refuses a type that is none.
  app.addHook('onRequest', (request, _reply, done) => {
    if (isLoose(request)) request.headers['content-type'] = 'application/json';
    done();
  });
}

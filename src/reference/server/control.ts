import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { renderJson } from '../../wire/index.ts';
import { setLogsConsumption } from '../billing/consumption-log.ts';
import { spend } from '../billing/spend.ts';
import type { GatewayContext } from '../context.ts';
import type { RequestGate } from '../failures/request-gate.ts';
import { FailureScript, type FailureScripts } from '../failures/scripts.ts';
import { answerRefusedUse } from '../inference/refusal.ts';
import { storedTasks, tryPatchTask } from '../media/video/task-control.ts';
import { OverloadedPart, setOverloaded } from './load.ts';
import { isLoopbackAddress, isLoopbackName } from './loopback.ts';
import type { Counters } from './request-counters.ts';
import { storedState, tryPatchKey } from './stored-state.ts';

/** The path of the control endpoints. */
export const CONTROL_PREFIX = '/_reference';

interface ControlOptions {
  readonly context: GatewayContext;
  readonly failures: FailureScripts;
  readonly counters: Counters;
  readonly gate: RequestGate;
}

const SpendBody = z.strictObject({
  keyId: z.int().positive(),
  quota: z.int().nonnegative(),
  precharge: z.int().nonnegative().optional(),
  model: z.string().optional(),
  address: z.string().default('127.0.0.1'),
  promptTokens: z.int().nonnegative().optional(),
  completionTokens: z.int().nonnegative().optional(),
});

const ClockBody = z.union([z.strictObject({ advance: z.number() }), z.strictObject({ at: z.number() })]);
/** One script or a list of them. */
const ScriptsBody = z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(FailureScript));
/** Without a time, everything. */
const BeforeTime = z.coerce.number().default(Number.MAX_SAFE_INTEGER);
const LogBody = z.strictObject({ consumption: z.boolean() });
const LoadBody = z.strictObject({ overloaded: OverloadedPart.nullable() });
const ReleaseBody = z.strictObject({ count: z.int().positive().optional() });

/** A body that the endpoint does not accept. */
class BadRequest extends Error {}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new BadRequest(z.prettifyError(result.error));
  return result.data;
}

/**
 * Accepts only this machine under its own name. Rejects web pages whose domain resolves to this machine, and pages of
 * other sites: a page can set `X-Forwarded-Host`, but neither `Host` nor `Origin`. Also rejects what a proxy passes on from elsewhere.
 */
function isLocal({ headers, socket, ip, host }: FastifyRequest): boolean {
  const origin = headers.origin === undefined ? [] : [headers.origin.replace(/^https?:\/\//, '')];
  const names = [headers.host ?? '', host, ...origin].map((name) => name.replace(/:\d+$/, ''));
  return [socket.remoteAddress, ip].every(isLoopbackAddress) && names.every(isLoopbackName);
}

/** Adds the control endpoints, with which tests and demonstrations simulate events. See the documentation. */
export function addControl(app: FastifyInstance, controlled: ControlOptions): void {
  app.register(
    (scope, _options, ready) => {
      scope.addHook('onRequest', async (request, reply) => (isLocal(request) ? undefined : forbid(reply)));
      scope.setErrorHandler((error: FastifyError, _request, reply) =>
        reply
          .code(error instanceof BadRequest ? 400 : (error.statusCode ?? 500))
          .send({ error: { message: error.message } }),
      );
      scope.setReplySerializer(renderJson);
      addGatewayRoutes(scope, controlled);
      addFailureRoutes(scope, controlled);
      ready();
    },
    { prefix: CONTROL_PREFIX },
  );
}

const forbid = (reply: FastifyReply): FastifyReply =>
  reply.code(403).send({ error: { message: 'the control endpoints are for this machine only' } });

function addGatewayRoutes(scope: FastifyInstance, { context, counters }: ControlOptions): void {
  scope.get('/requests', async () => counts(counters));
  scope.delete('/requests', async () => {
    const before = counts(counters);
    counters.reset();
    return before;
  });
  scope.get('/clock', async () => ({ now: context.clock.now() }));
  scope.post('/clock', async ({ body }) => {
    const move = read(ClockBody, body);
    if ('advance' in move) context.clock.advance(move.advance);
    else context.clock.set(move.at);
    context.scheduler.run();
    return { now: context.clock.now() };
  });
  scope.post('/spend', async ({ body }, reply) => {
    const outcome = spend(context, read(SpendBody, body));
    if (!('refusal' in outcome)) return outcome;
    const refusal = answerRefusedUse(context, outcome.refusal);
    return reply.code(refusal.status).send(refusal.body);
  });
  scope.patch('/log', async ({ body }) => {
    const { consumption } = read(LogBody, body);
    setLogsConsumption(context.ledger, consumption);
    return { consumption };
  });
  scope.patch('/load', async ({ body }) => {
    const { overloaded } = read(LoadBody, body);
    setOverloaded(context, overloaded);
    return { overloaded };
  });
  scope.delete<{ Querystring: { before?: string } }>('/log', async ({ query: { before } }) => ({
    deleted: context.ledger.log.deleteBefore(read(BeforeTime, before)),
  }));
  scope.get('/state', async () => storedState(context));
  scope.get('/holds', async () => ({ holds: context.ledger.holds.all() }));
  scope.patch<{ Params: { id: string } }>('/keys/:id', async ({ params, body }, reply) => {
    const patched = tryPatchKey(context, Number(params.id), body);
    if (patched === undefined) return reply.code(404).send({ error: { message: 'there is no such key' } });
    if ('problem' in patched) throw new BadRequest(patched.problem);
    return patched.key;
  });
  scope.get('/tasks', async () => ({ tasks: storedTasks(context) }));
  scope.patch<{ Params: { id: string } }>('/tasks/:id', async ({ params, body }, reply) => {
    const patched = tryPatchTask(context, params.id, body);
    if (patched === undefined) return reply.code(404).send({ error: { message: 'there is no such task' } });
    if ('problem' in patched) throw new BadRequest(patched.problem);
    return patched.task;
  });
}

/** A pending script in the words of the endpoint. */
const renderScript = ({ failure, ...scope }: FailureScript) => ({ ...scope, fault: failure });

function addFailureRoutes(scope: FastifyInstance, { failures, gate }: ControlOptions): void {
  const pending = () => ({ faults: failures.pending().map(renderScript) });
  scope.get('/faults', async () => pending());
  scope.post('/faults', async ({ body }) => {
    for (const script of read(ScriptsBody, body)) failures.add(script);
    return pending();
  });
  scope.delete('/faults', async () => {
    failures.clear();
    return pending();
  });
  scope.get<{ Querystring: { wait?: string } }>('/held', async ({ query: { wait } }) => {
    if (wait !== undefined) await gate.whenHeld(Number(wait) || 1);
    return { held: gate.heldCount() };
  });
  scope.post('/release', async ({ body }) => ({ released: gate.release(read(ReleaseBody, body ?? {}).count) }));
}

function counts(counters: Counters): { requests: Readonly<Record<string, number>>; total: number } {
  const requests = counters.read();
  return { requests, total: Object.values(requests).reduce((sum, count) => sum + count, 0) };
}

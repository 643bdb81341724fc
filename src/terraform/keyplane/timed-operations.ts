import { Fault } from '../../domain/index.ts';
import type { TerraformObject } from '../codec/value.ts';
import type { Action, DataSource, Ephemeral, ListResource, OperationContext } from '../provider/definition.ts';
import type { Schema } from '../provider/schema.ts';
import type { Client } from './client.ts';
import { nounOf, timeoutOf, timeoutsFor } from './key/timeouts.ts';

/** Limits the time of everything that is read and not managed, and of actions. */

type TimedContext = OperationContext<Client>;
type Work<A> = (config: TerraformObject, context: TimedContext) => A;
type TimedOperation = 'read' | 'open' | 'invoke';

/** The time of one operation, and what may be awaited in it. */
interface TimeLimit {
  readonly context: TimedContext;
  inTime<A>(work: Promise<A>): Promise<A>;
  end(): void;
}

/** Starts the time that a configuration gives an operation. Undefined where it gives none. */
function startLimit(operation: TimedOperation, config: TerraformObject, context: TimedContext): TimeLimit | undefined {
  const limit = timeoutOf(config, operation);
  if (limit === undefined) return undefined;
  const [over, done] = [new AbortController(), new AbortController()];
  const message = `The ${nounOf(operation)} took longer than its timeout of ${limit.text}.`;
  const fault = new Fault('gateway.rate-limited', message, {
    hint: `Raise \`timeouts.${operation}\`: a gateway that limits requests may need minutes.`,
  });
  const late = context.client.sleep(limit.ms, done.signal).then(async () => {
    if (done.signal.aborted) return await new Promise<never>(() => {});
    throw fault;
  });
  late.catch(() => undefined);
  return {
    context: { ...context, signal: AbortSignal.any([context.signal, over.signal]) },
    inTime: (work) => Promise.race([work, late]),
    end() {
      done.abort();
      // What is still under way ends, after the caller has its error.
      over.abort(fault);
    },
  };
}

/** Runs a read with the time that its configuration gives it. What it waits for ends with it. */
const within =
  (operation: TimedOperation, work: Work<Promise<TerraformObject>>): Work<Promise<TerraformObject>> =>
  async ({ timeouts = null, ...config }, context) => {
    const limit = startLimit(operation, { timeouts }, context);
    if (limit === undefined) return { ...(await work(config, context)), timeouts };
    try {
      return { ...(await limit.inTime(work(config, limit.context))), timeouts };
    } finally {
      limit.end();
    }
  };

/** Yields what an operation yields, with the time that its configuration gives all of it. */
const eachWithin = <A>(operation: TimedOperation, work: Work<AsyncIterable<A>>): Work<AsyncIterable<A>> =>
  async function* ({ timeouts = null, ...config }, context) {
    const limit = startLimit(operation, { timeouts }, context);
    if (limit === undefined) return yield* work(config, context);
    const found = work(config, limit.context)[Symbol.asyncIterator]();
    try {
      for (let next = await limit.inTime(found.next()); next.done !== true; next = await limit.inTime(found.next())) {
        yield next.value;
      }
    } finally {
      limit.end();
      // Whatever is under way would be awaited.
      found.return?.().catch(() => undefined);
    }
  };

const withTimeouts = (schema: Schema, operation: TimedOperation): Schema => ({
  ...schema,
  attributes: { ...schema.attributes, timeouts: timeoutsFor([operation]) },
});

export const timedSources = (
  sources: Readonly<Record<string, DataSource<Client>>>,
): Readonly<Record<string, DataSource<Client>>> =>
  Object.fromEntries(
    Object.entries(sources).map(([name, { schema, read }]) => [
      name,
      { schema: withTimeouts(schema, 'read'), read: within('read', read) },
    ]),
  );

export const timedEphemeral = ({ schema, open }: Ephemeral<Client>): Ephemeral<Client> => ({
  schema: withTimeouts(schema, 'open'),
  open: within('open', open),
});

export const timedList = ({ schema, find }: ListResource<Client>): ListResource<Client> => ({
  schema: withTimeouts(schema, 'read'),
  find: eachWithin('read', find),
});

export const timedAction = ({ schema, invoke }: Action<Client>): Action<Client> => ({
  schema: withTimeouts(schema, 'invoke'),
  invoke: eachWithin('invoke', invoke),
});

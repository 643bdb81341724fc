import { Fault } from '../../domain/index.ts';
import type { TerraformObject } from '../codec/value.ts';
import type { DataSource, Ephemeral, OperationContext } from '../provider/definition.ts';
import type { Schema } from '../provider/schema.ts';
import type { Client } from './client.ts';
import { timeoutOf, timeoutsFor } from './key/timeouts.ts';

/** Limits the time of everything that is read and not managed. */

type Work = (config: TerraformObject, context: OperationContext<Client>) => Promise<TerraformObject>;
type TimedRead = 'read' | 'open';

/** Runs a read with the time that its configuration gives it. What it waits for ends with it. */
const within =
  (operation: TimedRead, work: Work): Work =>
  async ({ timeouts = null, ...config }, context) => {
    const limit = timeoutOf({ timeouts }, operation);
    if (limit === undefined) return { ...(await work(config, context)), timeouts };
    const [over, done] = [new AbortController(), new AbortController()];
    const fault = new Fault('gateway.rate-limited', `The ${operation} took longer than its timeout of ${limit.text}.`, {
      hint: `Raise \`timeouts.${operation}\`: a gateway that limits requests may need minutes.`,
    });
    const late = context.client.sleep(limit.ms, done.signal).then(async () => {
      if (done.signal.aborted) return await new Promise<never>(() => {});
      throw fault;
    });
    late.catch(() => undefined);
    const signal = AbortSignal.any([context.signal, over.signal]);
    try {
      return { ...(await Promise.race([work(config, { ...context, signal }), late])), timeouts };
    } finally {
      done.abort();
      // What is still under way ends, after the caller has its error.
      over.abort(fault);
    }
  };

const withTimeouts = (schema: Schema, operation: TimedRead): Schema => ({
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

import { describe, expect, it } from 'vitest';
import type { TerraformObject } from '../../../src/terraform/codec/value.ts';
import type { Client } from '../../../src/terraform/keyplane/client.ts';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import {
  timedAction,
  timedEphemeral,
  timedList,
  timedSources,
} from '../../../src/terraform/keyplane/timed-operations.ts';
import type { Schema } from '../../../src/terraform/provider/schema.ts';

const SCHEMA = { version: 0, description: '', attributes: {} };

/** A client whose waits end when the test ends them. */
function contextOf() {
  const waits: number[] = [];
  let end = (): void => {};
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms);
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  const context = {
    client: { sleep } as unknown as Client,
    signal: new AbortController().signal,
    warn: () => {},
  };
  return { context, waits, expire: () => end() };
}

async function collect<A>(source: AsyncIterable<A>): Promise<readonly A[]> {
  const found: A[] = [];
  for await (const each of source) found.push(each);
  return found;
}

const limits = (limit: TerraformObject | null): TerraformObject => ({ timeouts: limit });

describe('the timeout of what is read and not managed', () => {
  const never = async (_: TerraformObject, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<TerraformObject>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  async function* neverEnding(config: TerraformObject, context: { readonly signal: AbortSignal }) {
    yield 'first' as never;
    await never(config, context);
  }
  const source = timedSources({ x: { schema: SCHEMA, read: never } }).x;
  const ephemeral = timedEphemeral({ schema: SCHEMA, open: never });
  const list = timedList({ schema: SCHEMA, find: neverEnding });
  const action = timedAction({ schema: SCHEMA, invoke: neverEnding });

  it.each([
    [
      'read',
      (config: TerraformObject, context: ReturnType<typeof contextOf>['context']) => source?.read(config, context),
    ],
    [
      'open',
      (config: TerraformObject, context: ReturnType<typeof contextOf>['context']) => ephemeral.open(config, context),
    ],
  ] as const)('ends a %s, and names it', async (operation, run) => {
    const { context, waits, expire } = contextOf();
    const running = run(limits({ [operation]: '1m30s' }), context);
    expect(waits).toEqual([90_000]);
    expire();
    await expect(running).rejects.toMatchObject({
      code: 'gateway.rate-limited',
      message: `The ${operation} took longer than its timeout of 1m30s.`,
    });
  });

  it.each([
    ['read', 'read', list.find],
    ['invocation', 'invoke', action.invoke],
  ] as const)(
    'ends a %s that yields one result after another, and keeps the former ones',
    async (noun, operation, run) => {
      const { context, waits, expire } = contextOf();
      const found: unknown[] = [];
      const ended = (async () => {
        for await (const each of run(limits({ [operation]: '2s' }), context)) {
          found.push(each);
          expire();
        }
      })();
      await expect(ended).rejects.toMatchObject({
        message: `The ${noun} took longer than its timeout of 2s.`,
      });
      expect([found, waits]).toEqual([['first'], [2000]]);
    },
  );

  it('ends nothing that yields its results in time, and starts no timer where it is omitted', async () => {
    const quick = timedList({
      schema: SCHEMA,
      async *find(config) {
        yield config as never;
      },
    });
    const { context, waits } = contextOf();
    expect(await collect(quick.find({ name: 'a', ...limits(null) }, context))).toEqual([{ name: 'a' }]);
    expect(waits).toEqual([]);
    expect(await collect(quick.find({ name: 'a', ...limits({ read: '1h' }) }, context))).toEqual([{ name: 'a' }]);
    expect(waits).toEqual([3_600_000]);
  });

  it('is kept in the result, and starts no timer where it is omitted', async () => {
    const { context, waits } = contextOf();
    const quick = timedSources({ x: { schema: SCHEMA, read: async (config) => ({ ...config, done: true }) } }).x;
    expect(await quick?.read(limits(null), context)).toEqual({ done: true, timeouts: null });
    expect(waits).toEqual([]);
    expect(await quick?.read(limits({ read: '5s' }), context)).toEqual({ done: true, timeouts: { read: '5s' } });
  });

  it('is a block of everything that the provider has', () => {
    const { dataSources, ephemerals, listResources, actions, resources } = keyplaneProvider({}, () => 0 as never);
    for (const table of [dataSources, ephemerals, listResources, actions, resources]) {
      for (const { schema } of Object.values<{ readonly schema: Schema }>(table)) {
        expect(schema).toMatchObject({ attributes: { timeouts: { isBlock: true } } });
      }
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { TerraformObject } from '../../../src/terraform/codec/value.ts';
import type { Client } from '../../../src/terraform/keyplane/client.ts';
import { timedEphemeral, timedSources } from '../../../src/terraform/keyplane/timed-reads.ts';

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

const limits = (limit: TerraformObject | null): TerraformObject => ({ timeouts: limit });

describe('the timeout of what is read and not managed', () => {
  const never = async (_: TerraformObject, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<TerraformObject>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const source = timedSources({ x: { schema: SCHEMA, read: never } }).x;
  const ephemeral = timedEphemeral({ schema: SCHEMA, open: never });

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

  it('is kept in the result, and starts no timer where it is omitted', async () => {
    const { context, waits } = contextOf();
    const quick = timedSources({ x: { schema: SCHEMA, read: async (config) => ({ ...config, done: true }) } }).x;
    expect(await quick?.read(limits(null), context)).toEqual({ done: true, timeouts: null });
    expect(waits).toEqual([]);
    expect(await quick?.read(limits({ read: '5s' }), context)).toEqual({ done: true, timeouts: { read: '5s' } });
  });

  it('is a block of every data source and of the ephemeral secret', () => {
    for (const schema of [source?.schema, ephemeral.schema])
      expect(schema).toMatchObject({ attributes: { timeouts: { isBlock: true } } });
  });
});

import { describe, expect, it } from 'vitest';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import { lateHandlers } from '../../../src/terraform/serve/late-handlers.ts';

const METHODS = { getMetadata: PROVIDER.getMetadata, stopProvider: PROVIDER.stopProvider };

function open(fails = 0) {
  const seen: unknown[] = [];
  let loads = 0;
  const late = lateHandlers(METHODS, async () => {
    loads += 1;
    if (loads <= fails) throw new Error('not loaded');
    return { getMetadata: (request: object) => seen.push(request), stopProvider: () => 'stopped' };
  });
  const call = async (name: keyof typeof METHODS, request: object): Promise<unknown> =>
    await late[name]?.(request as never, { signal: new AbortController().signal });
  return { seen, call, late, loads: () => loads };
}

describe('handlers that are loaded late', () => {
  it('load nothing before a call, and are those of each method', async () => {
    const { seen, call, late, loads } = open();
    expect([loads(), Object.keys(late)]).toEqual([0, Object.keys(METHODS)]);
    expect(await call('getMetadata', { a: 1 })).toBe(1);
    expect(await call('stopProvider', {})).toBe('stopped');
    await call('getMetadata', { a: 2 });
    expect([seen, loads()]).toEqual([[{ a: 1 }, { a: 2 }], 1]);
  });

  it('are loaded again after a failure, of which the call hears', async () => {
    const { call, loads } = open(1);
    await expect(call('stopProvider', {})).rejects.toThrow('not loaded');
    expect(await call('stopProvider', {})).toBe('stopped');
    expect(loads()).toBe(2);
  });
});

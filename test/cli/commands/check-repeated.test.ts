import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const ROUNDS = 4;
const MANIFEST =
  'checks: { ml: { module: model-list }, idle: { module: chat } }\nkeys: { app-1: { checks: [ml], budget: { usd: 1 } } }\n';

describe('keyplane check --every', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(MANIFEST);
  });
  afterEach(() => account.close());

  async function repeat(env: Record<string, string>, words: readonly string[] = []) {
    const terminal = account.terminal(true, env);
    const listeners: number[] = [];
    Object.assign(terminal.io, {
      async pause(seconds: number, signal: AbortSignal) {
        if (seconds < 60) return;
        listeners.push(getEventListeners(signal, 'abort').length);
        if (listeners.length === ROUNDS) terminal.signal('SIGTERM');
      },
    });
    expect(await terminal.run('check', '--every', '1h', ...words)).toBe(0);
    return { listeners, out: terminal.out() };
  }

  it.each([
    ['whose gateway responds', {}],
    ['whose gateway is away', { KEYPLANE_URL: 'http://127.0.0.1:1' }],
  ])('leaves no listener behind after a round %s', async (_, env) => {
    const { listeners } = await repeat(env);
    expect(listeners).toEqual(Array(ROUNDS).fill(listeners[0]));
  });

  it('puts the diagnostics of its manifest into the result of each round, once', async () => {
    const { out } = await repeat({}, ['--format', 'json']);
    const results = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { diagnostics: { code: string }[] });
    expect(results.map(({ diagnostics }) => diagnostics.length)).toEqual(Array(ROUNDS).fill(1));
  });
});

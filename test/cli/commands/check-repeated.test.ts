import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const ROUNDS = 4;
const MANIFEST = 'checks: { ml: { module: model-list } }\nkeys: { app-1: { checks: [ml], budget: { usd: 1 } } }\n';

describe('keyplane check --every', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(MANIFEST);
  });
  afterEach(() => account.close());

  it.each([
    ['whose gateway responds', {}],
    ['whose gateway is away', { KEYPLANE_URL: 'http://127.0.0.1:1' }],
  ])('leaves nothing behind after a round %s', async (_, env) => {
    const terminal = account.terminal(true, env);
    const listening: number[] = [];
    const { io } = terminal;
    Object.assign(io, {
      async pause(seconds: number, signal: AbortSignal) {
        if (seconds < 60) return;
        listening.push(getEventListeners(signal, 'abort').length);
        if (listening.length === ROUNDS) terminal.signal('SIGTERM');
      },
    });
    expect(await terminal.run('check', '--every', '1h')).toBe(0);
    expect(listening).toEqual(Array(ROUNDS).fill(listening[0]));
  });
});

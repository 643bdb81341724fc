import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { message, one } from '../../../src/terraform/protocol/message.ts';
import { listen } from '../../../src/terraform/serve/grpc.ts';
import { openTurns } from '../../../src/terraform/serve/turns.ts';

function record() {
  const events: string[] = [];
  /** A call that awaits what has been decided, as most handlers do many times. */
  const call = (name: string, waits: () => Promise<unknown> = async () => {}) => {
    return () =>
      void (async () => {
        events.push(`${name} begins`);
        for (let step = 0; step < 5; step += 1) await undefined;
        await waits();
        events.push(`${name} ends`);
      })();
  };
  return { events, call };
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
};

describe('the turns of calls', () => {
  it('handles calls that arrive together one after the other', async () => {
    const takeTurn = openTurns(() => 0);
    const { events, call } = record();
    for (const name of ['a', 'b', 'c']) takeTurn(call(name));
    await settled();
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('does not let a call that waits for something hold up others', async () => {
    const takeTurn = openTurns(() => 0);
    const { events, call } = record();
    let proceed = () => {};
    const answered = new Promise<void>((resolve) => (proceed = resolve));
    takeTurn(call('a', () => answered));
    takeTurn(call('b'));
    await settled();
    expect(events).toEqual(['a begins', 'b begins', 'b ends']);
    proceed();
    await settled();
    expect(events.at(-1)).toBe('a ends');
  });

  it('lets the event loop send responses after a turn', async () => {
    let ms = 0;
    const takeTurn = openTurns(() => ms);
    const { events, call } = record();
    takeTurn(call('a', async () => (ms += 5)));
    setImmediate(() => events.push('sent'));
    takeTurn(call('b'));
    await settled();
    expect(events).toEqual(['a begins', 'a ends', 'sent', 'b begins', 'b ends']);
  });

  it('lets short calls share a turn', async () => {
    const takeTurn = openTurns(() => 0);
    const { events, call } = record();
    takeTurn(call('a'));
    setImmediate(() => events.push('sent'));
    takeTurn(call('b'));
    await settled();
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'sent']);
  });

  it('begins again after it had nothing to do', async () => {
    const takeTurn = openTurns(() => 0);
    const { events, call } = record();
    takeTurn(call('a'));
    await settled();
    takeTurn(call('b'));
    await settled();
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});

const Text = message({ text: one(1, 'string') });
const METHODS = { echo: { name: 'Echo', request: Text, response: Text } } as const;

/** Sends two concurrent calls from a thread of its own, and reports by `arrived` that it has the response to the first. */
const CORE = `
const { workerData: { socket, arrived } } = require('node:worker_threads');
const { connect } = require('node:http2');
const session = connect('http://localhost', { createConnection: () => require('node:net').connect(socket) });
const headers = { ':method': 'POST', ':path': '/test.Texts/Echo', 'content-type': 'application/grpc', te: 'trailers' };
const calls = [session.request(headers), session.request(headers)];
for (const [at, call] of calls.entries()) {
  call.on('data', () => {});
  call.on('end', () => {
    if (at > 0) return session.close();
    Atomics.store(arrived, 0, 1);
    Atomics.notify(arrived, 0);
  });
  call.end(Buffer.of(0, 0, 0, 0, 0));
}`;

const LONG_MS = 10_000;

describe('a server', () => {
  it('sends the response to a long call before it handles the next one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kp-'));
    const arrived = new Int32Array(new SharedArrayBuffer(4));
    const idle = new Int32Array(new SharedArrayBuffer(4));
    const found: string[] = [];
    const echo = () => {
      // The first takes longer than a turn; the second does not let this thread send anything.
      found.push(found.length === 0 ? Atomics.wait(idle, 0, 0, 5) : Atomics.wait(arrived, 0, 0, LONG_MS));
      return { text: '' };
    };
    const socket = join(folder, 's');
    const services = [{ service: 'test.Texts', methods: METHODS, handlers: { echo } }];
    const listening = await listen({ socket, services, stop: new AbortController().signal, onDefect: () => {} });
    const core = new Worker(CORE, { eval: true, workerData: { socket, arrived } });
    await new Promise((resolve) => core.on('exit', resolve));
    listening.close();
    await rm(folder, { recursive: true });
    expect(found).toHaveLength(2);
    expect(found[1]).not.toBe('timed-out');
  });
});

import { Agent, type Dispatcher } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ExchangeError, exchange } from '../../src/http/exchange.ts';
import { watchAborts } from '../../src/http/on-abort.ts';
import { get, post } from './client.ts';
import { respondWith, serve } from './loopback.ts';

const options = {
  timeouts: { connectMs: 5000, headersMs: 5000, bodyMs: 5000, totalMs: 5000 },
  maxBytes: 1000,
  aborts: watchAborts(),
};
const agents: Agent[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()));
});

/** A real agent whose dispatching is done by `how`. */
function agentThat(how: (dispatch: () => boolean) => boolean): Agent {
  class Altered extends Agent {
    override dispatch(given: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      return how(() => super.dispatch(given, handler));
    }
  }
  const agent = new Altered();
  agents.push(agent);
  return agent;
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (thrown: unknown) => thrown,
  );

describe('an exchange', () => {
  test('ends instead of being sent again when the connection pool dispatches it a second time', async () => {
    const server = await serve(() => undefined);
    const agent = agentThat((dispatch) => dispatch() && dispatch());
    const failure = await failureOf(exchange(agent, post(server.url), options));
    expect(failure).toBeInstanceOf(ExchangeError);
    expect(failure).toMatchObject({ reason: 'repeated', sent: 'maybe' });
    expect(server.seen.length).toBeLessThanOrEqual(1);
  });

  test('is not sent on a late connection after it timed out', async () => {
    const server = await serve(respondWith(200));
    let connect: () => boolean = () => false;
    const late = agentThat((dispatch) => {
      connect = dispatch;
      return true;
    });
    const given = { ...options, timeouts: { ...options.timeouts, connectMs: 1 } };
    expect(await failureOf(exchange(late, post(`${server.url}/late`), given))).toMatchObject({
      reason: 'timeout',
      sent: 'no',
    });
    connect();
    const prompt = agentThat((dispatch) => dispatch());
    for (const path of ['/1', '/2', '/3']) await exchange(prompt, get(server.url + path), options);
    expect(server.seen.map(({ url }) => url)).toEqual(['/1', '/2', '/3']);
  });

  test('pauses the connection while nobody reads, and resumes it on the next read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const block = Buffer.alloc(4 * 1024 * 1024, 'x');
    const server = await serve(respondWith(200, block.toString()));
    let full: () => void = () => undefined;
    const paused = new Promise<void>((done) => {
      full = done;
    });
    class Watched extends Agent {
      override dispatch(given: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
        const onResponseData: Dispatcher.DispatchHandler['onResponseData'] = (controller, chunk) => {
          handler.onResponseData?.(controller, chunk);
          if (controller.paused) full();
        };
        return super.dispatch(given, Object.assign(Object.create(handler), { onResponseData }));
      }
    }
    const agent = new Watched();
    agents.push(agent);
    const timeouts = { ...options.timeouts, totalMs: 1_000_000 };
    const { body } = await exchange(agent, get(server.url), { ...options, timeouts, maxBytes: block.length });
    await paused;
    // The other side is not to blame for a reader who comes late.
    vi.advanceTimersByTime(100_000);
    let bytes = 0;
    for (let part = await body.next(); !part.done; part = await body.next()) bytes += part.value.length;
    expect(bytes).toBe(block.length);
  });
});

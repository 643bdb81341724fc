import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openGatewayClient } from '../../src/client/index.ts';
import { asFault, Secret } from '../../src/domain/index.ts';
import { type Handler, serve } from '../http/loopback.ts';
import { virtualClock } from '../http/virtual-clock.ts';

const TOKEN = 'canary-access-token-1234567890';
const KEY = 'sk-canary-key-1234567890';
const HEADER = 'canary-header-1234567890';

/** Everything of a thrown value that somebody could print. */
const everythingOf = (thrown: unknown): string => {
  const fault = asFault(thrown);
  return [fault.stack, inspect(fault, { depth: 9, showHidden: true }), JSON.stringify(fault.detail), fault.hint].join();
};

/** A server that answers in one of the ways in which gateways and what is in front of them fail. It repeats what it was sent. */
const FAILURES: Readonly<Record<string, (other: string) => Handler>> = {
  'redirects elsewhere': (other) => (_, response) => {
    response.writeHead(302, { location: `${other}/login?token=${TOKEN}` });
    response.end();
  },
  'moves permanently elsewhere': (other) => (_, response) => {
    response.writeHead(308, { location: `${other}/api` });
    response.end();
  },
  'repeats the credentials in an error': () => (request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: false, message: `bad ${request.headers.authorization} ${HEADER} ${KEY}` }));
  },
  'repeats the credentials in a page': () => (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<html><title>${request.headers.authorization}</title></html>`);
  },
  'ends the connection': () => (_, response) => {
    response.destroy();
  },
  'answers in another shape': () => (request, response) => {
    response.end(
      JSON.stringify({ success: true, data: { [String(request.headers.authorization)]: TOKEN, items: TOKEN } }),
    );
  },
};

describe.each(Object.entries(FAILURES))('a gateway that %s', (_, failure) => {
  it.each([false, true])('gets no credential into a fault, a hook or another origin; own fetch: %s', async (own) => {
    const other = await serve((_request, response) => {
      response.end('{"success":true,"data":{}}');
    });
    const { url } = await serve(failure(other.url));
    const seen: unknown[] = [];
    const record = (event: unknown): void => void seen.push(event);
    const gateway = openGatewayClient({
      url,
      userId: 42,
      accessToken: new Secret(TOKEN),
      headers: { 'x-access': HEADER },
      clock: virtualClock(),
      random: () => 0,
      ...(own ? { fetch } : {}),
      ...{ onRequest: record, onResponse: record, onRetry: record, onTrace: record },
    });
    const inference = gateway.inference(new Secret(KEY));
    const calls: readonly (() => Promise<unknown>)[] = [
      () => gateway.account(),
      () => gateway.status(),
      () => gateway.keys.list().toArray(),
      () => gateway.keys.create({ name: 'a', remaining: 'unlimited' }),
      () => gateway.keys.update(1, { group: 'vip' }),
      () => gateway.keys.reveal(1),
      () => gateway.models(new Secret(KEY)),
      () => inference.models(),
      () => inference.chat({ model: 'alpha-chat-1', messages: [{ role: 'user', content: 'hello' }] }),
      () => inference.readUrl(`${url}/file`),
    ];
    const printed = await Promise.all(calls.map((call) => call().then(() => '', everythingOf)));
    await gateway.close();
    const shown = [...printed, JSON.stringify(seen), inspect(gateway, { depth: 9, showHidden: true })].join();
    expect(/.{80}canary-(access-token|key)-1.{20}/s.exec(shown)?.[0]).toBeUndefined();
    expect(printed.join()).not.toContain(HEADER);
    expect(JSON.stringify(other.seen.map(({ url: path, headers }) => [path.replace(/\?.*/, ''), headers]))).not.toMatch(
      /canary/,
    );
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';
import { openTerminal } from '../terminal.ts';

const TOKEN = 'token-for-tests';

/** Keys, and comments that make a manifest long. */
const KEYS = [
  `# ${'long '.repeat(40)}\n`.repeat(2_500).trimEnd(),
  ...Array.from({ length: 2_500 }, (_, i) => `  app-${i}: { enabled: true }`),
].join('\n');

const gatewayAt = (url: string): string => `gateway: { url: "${url}", userId: 42 }`;

/** Answers of a gateway that is not one, or not ours. */
const ANSWERS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'rejects the token': (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"success":false,"message":"no"}');
  },
  'is a login page': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Log in</title></html>');
  },
  'never answers': () => {},
  'closes each connection': (request) => request.socket.destroy(),
};

/** A server that notes which credentials it gets. */
async function openServer() {
  const sent: string[] = [];
  let answer: (typeof ANSWERS)[string] = () => {};
  const server: Server = createServer((request, response) => {
    sent.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'without a token'}`);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    /** Resolves at the next request. */
    asked: () => new Promise<void>((done) => server.once('request', () => done())),
    answers: (how: (typeof ANSWERS)[string]) => {
      answer = how;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a plan with a long manifest', () => {
  let folder: string;
  let own: Awaited<ReturnType<typeof openServer>>;
  let other: typeof own;
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const open = (env: Record<string, string> = {}) =>
    openTerminal({ cwd: folder, env: { HOME: folder, NO_COLOR: '1', KEYPLANE_ACCESS_TOKEN: TOKEN, ...env } });
  const ask = async (words: readonly string[], env: Record<string, string> = {}) => {
    const terminal = open(env);
    return { code: await terminal.run(...words), out: terminal.out(), err: terminal.err() };
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-ahead-'));
    [own, other] = [await openServer(), await openServer()];
  });
  afterAll(async () => {
    own.close();
    other.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    for (const server of [own, other]) {
      server.sent.length = 0;
      server.answers(ANSWERS['rejects the token'] ?? (() => {}));
    }
  });

  it.each(Object.keys(ANSWERS))(
    'that is wrong at its end reports what it would without a gateway, which %s',
    async (how) => {
      own.answers(ANSWERS[how] ?? (() => {}));
      await write('keyplane.yaml', `version: 1\n${gatewayAt(own.url)}\nkeys:\n${KEYS}\n  app-1: { enabeld: true }\n`);
      const planned = await ask(['plan']);
      // The account was asked before the error was found.
      expect(own.sent).toContain(`GET /api/user/self Bearer ${TOKEN}`);
      expect(own.sent.filter((request) => !request.startsWith('GET /api/'))).toEqual([]);
      own.sent.length = 0;
      // An apply asks for nothing before it has its lock.
      const applied = await ask(['apply', '--yes']);
      expect([planned.code, planned.err, planned.out]).toEqual([3, applied.err, applied.out]);
      expect(planned.err).toContain('There is no field "enabeld" here.');
      expect(own.sent).toEqual([]);
    },
  );

  it.each(['rejects the token', 'is a login page', 'closes each connection'])(
    'ends as one whose gateway comes last, when the gateway %s',
    async (how) => {
      own.answers(ANSWERS[how] ?? (() => {}));
      const ends = [];
      for (const text of [`${gatewayAt(own.url)}\nkeys:\n${KEYS}\n`, `keys:\n${KEYS}\n${gatewayAt(own.url)}\n`]) {
        await write('keyplane.yaml', `version: 1\n${text}`);
        own.sent.length = 0;
        ends.push({ ...(await ask(['plan'])), sent: [...own.sent] });
      }
      expect(ends[0]).toEqual(ends[1]);
      expect(ends[0]?.code).not.toBe(0);
      expect(ends[0]?.sent).not.toEqual([]);
    },
  );

  it('ends at once when somebody interrupts it while both are under way', async () => {
    own.answers(() => {});
    await write('keyplane.yaml', `version: 1\n${gatewayAt(own.url)}\nkeys:\n${KEYS}\n`);
    const terminal = open();
    const asked = own.asked();
    const ended = terminal.run('plan');
    await asked;
    terminal.signal('SIGINT');
    expect(await ended).toBe(130);
    expect(terminal.err()).toContain('Interrupted by SIGINT');
  });

  const VERSION = 'version: 1\n';
  it.each([
    ['repeats the gateway', () => `${VERSION}${gatewayAt(own.url)}\nkeys:\n${KEYS}\n${gatewayAt(other.url)}\n`],
    [
      'repeats it with an escape',
      () => `${VERSION}${gatewayAt(own.url)}\nkeys:\n${KEYS}\n"\\x67ateway": { url: "${other.url}" }\n`,
    ],
    [
      'repeats it in braces',
      () => `${VERSION}${gatewayAt(own.url)}\nkeys:\n${KEYS}\n---\n{ version: 1, gateway: { url: "${other.url}" } }\n`,
    ],
    [
      'repeats it after a question mark',
      () => `${VERSION}${gatewayAt(own.url)}\nkeys:\n${KEYS}\n? gateway\n: { url: "${other.url}" }\n`,
    ],
    [
      'repeats it by an alias',
      () =>
        `${VERSION}defaults: { group: &word gateway }\n${gatewayAt(own.url)}\nkeys:\n${KEYS}\n*word : { url: "${other.url}" }\n`,
    ],
    [
      'hides a gateway in a string',
      () => `${VERSION}defaults:\n  description: "\ngateway: { url: ${own.url}, userId: 42 }\nkeys:\n${KEYS}"\n`,
    ],
  ])('that %s sends the token nowhere', async (_, text) => {
    await write('keyplane.yaml', text());
    expect((await ask(['plan'])).code).toBe(3);
    expect([own.sent, other.sent]).toEqual([[], []]);
  });

  it('of two files asks only the gateway of both', async () => {
    await write('keyplane.yaml', `version: 1\n${gatewayAt(own.url)}\nkeys:\n${KEYS}\n`);
    await write('more.yaml', `version: 1\n${gatewayAt(other.url)}\n`);
    expect((await ask(['plan', '-f', 'keyplane.yaml', '-f', 'more.yaml'])).code).toBe(3);
    expect([own.sent, other.sent]).toEqual([[], []]);
  });

  it('asks the gateway of the flags, not that of the manifest, and none where the environment contradicts', async () => {
    await write('keyplane.yaml', `version: 1\n${gatewayAt(own.url)}\nkeys:\n${KEYS}\n`);
    expect((await ask(['plan', '--url', other.url])).code).toBe(7);
    expect([own.sent.length, other.sent.length > 0]).toEqual([0, true]);
    other.sent.length = 0;
    expect((await ask(['plan'], { KEYPLANE_URL: other.url })).code).toBe(4);
    expect([own.sent, other.sent]).toEqual([[], []]);
  });

  it('asks no gateway that only the manifest names, and nobody who could confirm it before it is valid', async () => {
    await write('keyplane.yaml', `version: 1\n${gatewayAt('http://stranger.example')}\nkeys:\n${KEYS}\n`);
    const { code, err } = await ask(['plan', '--verbose'], { HTTP_PROXY: own.url });
    expect([code, own.sent]).toEqual([4, []]);
    expect(err).toContain('settings.unconfirmed-origin');
  });
});

describe('a plan whose account is read ahead', () => {
  const routes = async (url: string): Promise<unknown> => {
    const answer = await fetch(`${url}/_reference/requests`, { method: 'DELETE' });
    return ((await answer.json()) as { requests: unknown }).requests;
  };

  it.each([['plan'], ['drift']])('sends and shows the same for %s as one that is read afterwards', async (word) => {
    const account = await openAccount('');
    const padding = `# ${'long '.repeat(40)}\n`.repeat(2_500);
    const results = [];
    try {
      // The escape could stand for another gateway.
      for (const end of ['# end', '# \\d']) {
        await account.write(`${gatewayAt(account.url)}\n${padding}keys:\n  app-1: {}\n  app-9: {}\n${end}\n`);
        await routes(account.url);
        const terminal = account.terminal(false);
        const code = await terminal.run(word, '--verbose');
        const err = terminal.err().replace(/\d+ ms/g, '… ms');
        results.push({ code, err, out: terminal.out(), requests: await routes(account.url) });
      }
    } finally {
      await account.close();
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.out).toMatch(/(?:create|missing) +app-9/);
    expect(results[0]?.err).toContain('GET /api/token/');
  });
});

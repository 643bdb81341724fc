import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { expect, it } from 'vitest';
import { EXIT } from '../../src/cli/index.ts';
import { onStage, partsIn, SEED, TOKEN } from './canary.ts';

const MODEL = 'epsilon-video-2-0-260128';
const MANIFEST = `keys:
  app-1: { checks: [film] }
checks:
  film: { module: video, model: ${MODEL} }
`;

/** Notifications that are secrets wherever a text can be, in no form that a gateway sends. */
const HOSTILE = [
  JSON.stringify({ task_id: TOKEN, status: 'failed', error: { code: TOKEN, message: TOKEN } }),
  JSON.stringify({ task_id: 't', status: TOKEN }),
  JSON.stringify({ [TOKEN]: TOKEN, data: { task_id: TOKEN, status: 'queued', fail_reason: TOKEN } }),
  `{"task_id": "${TOKEN.replaceAll('"', '')}`,
  TOKEN,
];

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

/** Reports with every text of a check. An HTML report also embeds the film, in which eight characters are soon found. */
const REPORTS = ['md', 'json', 'xml'].flatMap((ending) => ['--report', `out.${ending}`]);

/** A server between the gateway and the receiver that sends hostile notifications before each true one. */
async function openRelay(receiver: string) {
  let answered = 0;
  const pass = async (url: URL, notification: string): Promise<number> => {
    const hostile = new URL(`?${new URLSearchParams({ task: TOKEN })}`, receiver);
    for (const body of HOSTILE)
      for (const target of [url, hostile]) {
        await post(target.href, body);
        answered += 1;
      }
    const { status } = await post(url.href, notification);
    return status;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', receiver);
    // The receiver is closed when the last check ends, whatever is still on its way.
    const status = await pass(url, Buffer.concat(chunks).toString()).catch(() => 502);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    answered: () => answered,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

it('secrets in notifications are emitted by no check', async () => {
  const port = await freePort();
  const relay = await openRelay(`http://127.0.0.1:${port}/`);
  const task = { queueSeconds: 0, runSeconds: 0 };
  const seed = {
    ...SEED,
    models: { ...SEED.models, [MODEL]: { price: 0.01, task } },
    keys: SEED.keys.map((key) => ({ ...key, model_limits_enabled: false })),
  };
  await onStage(
    async ({ emitted, exit }) => {
      const places = ['--callback-listen', `127.0.0.1:${port}`, '--callback-url', relay.url];
      const words = [
        'check',
        '--costly',
        '--verbose',
        '--history',
        'history',
        '--ledger',
        'tasks.jsonl',
        ...places,
        ...REPORTS,
      ];
      expect(partsIn(await emitted(words))).toEqual([]);
      expect([EXIT.done, EXIT.checksFailed]).toContain(exit());
      expect(relay.answered()).toBeGreaterThan(0);
    },
    MANIFEST,
    seed,
  );
  await relay.close();
});

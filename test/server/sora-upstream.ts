import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The statuses of Sora, where they differ from those of the reference gateway. */
const STATUSES: Readonly<Record<string, string>> = { succeeded: 'completed' };

interface TaskRecord {
  readonly task_id: string;
  readonly status: string;
  readonly url?: string;
}

/** A server that takes videos as Sora does and has them made by a reference gateway. Servers know no other upstream for them. */
export async function startSoraUpstream(gateway: string) {
  const ask = async (incoming: IncomingMessage, path: string, body?: string): Promise<Response> =>
    fetch(`${gateway}/v1/video/generations${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', authorization: incoming.headers.authorization ?? '' },
      ...(body === undefined ? {} : { body }),
    });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id, content] = /^\/v1\/videos(?:\/([^/]+))?(\/content)?$/.exec(incoming.url ?? '') ?? [];
    const asked = id === undefined ? await ask(incoming, '', await text(incoming)) : await ask(incoming, `/${id}`);
    if (!asked.ok) {
      response.writeHead(asked.status, { 'content-type': 'application/json' }).end(await asked.text());
      return;
    }
    const { task_id, status, url } = (await asked.json()) as TaskRecord;
    if (content !== undefined && url !== undefined) {
      const film = await fetch(url);
      response.writeHead(film.status, { 'content-type': 'video/mp4' }).end(Buffer.from(await film.arrayBuffer()));
      return;
    }
    const video = { id: task_id, object: 'video', status: STATUSES[status] ?? status, progress: 0 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(video));
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((thrown: unknown) => response.writeHead(502).end(String(thrown)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ApiRequest {
  readonly method: string;
  /** Decoded parts are the business of the service. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The disturbance of a request: its connection ends before or after its handling, nothing answers, or something else, perhaps after it. */
type Interference = 'cut-before' | 'cut-after' | 'silence' | (ApiAnswer & { readonly isHandled?: true }) | undefined;

/** A server of an API on loopback: it records its requests, and can be disturbed. */
export interface ApiServer {
  readonly url: string;
  readonly requests: ApiRequest[];
  interfere: (request: ApiRequest, index: number) => Interference;
  readonly close: () => Promise<void>;
}

const tryJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
};

export async function openApiServer(handle: (request: ApiRequest) => ApiAnswer): Promise<ApiServer> {
  const state: { interfere: ApiServer['interfere'] } = { interfere: () => undefined };
  const requests: ApiRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://local');
      const body = tryJson(Buffer.concat(chunks).toString());
      const { method = 'GET', headers } = incoming;
      const request = { method, path: url.pathname, query: url.searchParams, headers, body };
      requests.push(request);
      const interference = state.interfere(request, requests.length - 1);
      if (interference === 'silence') return;
      if (interference === 'cut-before') return void response.socket?.destroy();
      const replaced = typeof interference === 'object' ? interference : undefined;
      if (replaced?.isHandled) handle(request);
      const answer = replaced ?? handle(request);
      if (interference === 'cut-after') return void response.socket?.destroy();
      const { status, json, html } = answer;
      const type = html === undefined ? 'application/json' : 'text/html';
      response.writeHead(status, { 'content-type': type, ...answer.headers });
      response.end(html ?? (json === undefined ? '' : JSON.stringify(json)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get interfere() {
      return state.interfere;
    },
    set interfere(next) {
      state.interfere = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

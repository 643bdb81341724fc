// A server that reads each request and answers with a fixed body. It sends its address to its parent process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fixed answer. */
export interface FixedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const { status, headers, body } = JSON.parse(process.argv[2] ?? '') as FixedAnswer;
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(status, headers).end(body));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

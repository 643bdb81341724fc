// How fast the reference gateway answers, beside a bare node:http server that gives the same answer: requests of one kind,
// as many at once, to each in a process of its own.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { Pool } from 'undici';

const CONCURRENCY = 32;

/** A server that reads the request and answers with a fixed body; its address comes as a message. */
function serveBare({ status, headers, body }) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  });
  server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
}

if (process.argv[2] === 'bare') serveBare(JSON.parse(process.argv[3]));

async function startBare(answer) {
  const child = fork(import.meta.filename, ['bare', JSON.stringify(answer)]);
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  const url = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
  });
  return {
    url,
    stop() {
      process.off('exit', stop);
      stop();
    },
  };
}

/** Requests a second: `count` of them, after as many tenths for warming up. */
async function rate(url, { path, body, key }, count) {
  const pool = new Pool(url, { connections: CONCURRENCY });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = async () => {
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: status ${answer.statusCode}`);
  };
  const all = async (number) => {
    let left = number;
    const worker = async () => {
      while (left-- > 0) await send();
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  };
  await all(count / 10);
  const since = process.hrtime.bigint();
  await all(count);
  const seconds = Number(process.hrtime.bigint() - since) / 1e9;
  await pool.close();
  return count / seconds;
}

const shown = (headers) => ({ 'content-type': headers.get('content-type') });

/** The rates of the gateway and of a bare server that answers the same, for one kind of request. */
export async function throughput(url, order, count) {
  const headers = { authorization: `Bearer ${order.key}`, 'content-type': 'application/json' };
  const sample = await fetch(url + order.path, { method: 'POST', headers, body: order.body });
  const bare = await startBare({ status: sample.status, headers: shown(sample.headers), body: await sample.text() });
  try {
    return { floor: await rate(bare.url, order, count), ours: await rate(url, order, count) };
  } finally {
    bare.stop();
  }
}

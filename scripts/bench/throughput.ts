import { fork } from 'node:child_process';
import { Pool } from 'undici';
import type { FixedAnswer } from './bare-server.ts';
import { compileProgram } from './compiled.ts';

const CONCURRENCY = 32;
const SERVER = compileProgram('bare-server.ts');

/** The requests of one kind. */
interface RequestKind {
  readonly path: string;
  readonly key: string;
  readonly body: string;
}

async function startBareServer(answer: FixedAnswer): Promise<{ readonly url: string; stop(): void }> {
  const child = fork(SERVER, [JSON.stringify(answer)], { execArgv: [] });
  const stop = (): void => {
    child.kill('SIGTERM');
  };
  process.once('exit', stop);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (address) => resolve(String(address)));
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

/** Returns the requests per second over `count` requests, after a tenth of them as a warm-up. */
async function rate(url: string, { path, body, key }: RequestKind, count: number): Promise<number> {
  const pool = new Pool(url, { connections: CONCURRENCY });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = async (): Promise<void> => {
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: status ${answer.statusCode}`);
  };
  const all = async (number: number): Promise<void> => {
    let left = number;
    const worker = async (): Promise<void> => {
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

/** Measures the rates of the gateway and of a bare server with the same answer, for one kind of request. */
export async function throughput(
  url: string,
  request: RequestKind,
  count: number,
): Promise<{ readonly ours: number; readonly floor: number }> {
  const headers = { authorization: `Bearer ${request.key}`, 'content-type': 'application/json' };
  const sample = await fetch(url + request.path, { method: 'POST', headers, body: request.body });
  const bare = await startBareServer({
    status: sample.status,
    headers: { 'content-type': sample.headers.get('content-type') ?? '' },
    body: await sample.text(),
  });
  try {
    return { floor: await rate(bare.url, request, count), ours: await rate(url, request, count) };
  } finally {
    bare.stop();
  }
}

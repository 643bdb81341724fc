import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReferenceOptions } from '../../../src/reference/index.ts';
import { type Body, SEED, send, startTestGateway, type TestGateway } from '../harness.ts';

const WALLET = 1_000_000;
const KEYS = [1, 2].map((id) => ({ id, name: `key-${id}`, key: `secret-${id}`, remain_quota: 10_000 }));
const COUNT = 12;

let folder: string;
let gateway: TestGateway;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyplane-commits-'));
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

const data = (): string => join(folder, 'ledger.db');

const start = async (options: ReferenceOptions = {}): Promise<void> => {
  gateway = await startTestGateway({ data: data(), seed: { ...SEED, keys: KEYS }, ...options });
};

/** Changes the ledger's file as another program would. */
function alter(sql: string): void {
  const connection = new Libsql(data());
  connection.exec(sql);
  connection.close();
}

/** Stands for a disk that is full: a commit with an entry of the log fails as a whole. */
const FULL = `CREATE TRIGGER full BEFORE INSERT ON log BEGIN SELECT RAISE(ABORT, 'full'); END`;

const chat = (id: number, more: Body = {}) =>
  send(
    `${gateway.url}/v1/chat/completions`,
    'POST',
    { model: 'chat-a', messages: [{ role: 'user', content: 'hello' }], max_tokens: 5, ...more },
    { authorization: `Bearer sk-secret-${id}` },
  );

const statuses = async (more: Body = {}): Promise<readonly number[]> => {
  const answers = await Promise.all(Array.from({ length: COUNT }, (_, index) => chat(1 + (index % 2), more)));
  return answers.map(({ status }) => status);
};

/** Wallet, keys and log agree, and nothing is on hold. Returns what was spent. */
async function spent(): Promise<number> {
  const state = await gateway.control('GET', '/state');
  const total = (state.log as Body[]).reduce((sum, { quota }) => sum + Number(quota), 0);
  expect(state.holds).toEqual([]);
  expect(state.accounts).toMatchObject([{ quota: WALLET - total, used_quota: total }, {}]);
  for (const key of state.keys as Body[]) expect(Number(key.remain_quota) + Number(key.used_quota)).toBe(10_000);
  return total;
}

describe('chats whose commit fails', () => {
  it('are not acknowledged and cost nothing, and later ones are billed', async () => {
    await start();
    expect(await statuses()).toEqual(Array.from({ length: COUNT }, () => 200));
    const before = await spent();
    expect(before).toBeGreaterThan(0);
    alter(FULL);
    expect(await statuses()).toEqual(Array.from({ length: COUNT }, () => 500));
    expect(await gateway.control('GET', '/state')).toMatchObject({ log: { length: COUNT } });
    alter('DROP TRIGGER full');
    expect(await statuses()).toEqual(Array.from({ length: COUNT }, () => 200));
    const state = await gateway.control('GET', '/state');
    expect((state.log as Body[]).length).toBe(2 * COUNT);
    // Holds that were durable before the disk was full end at the next start.
    await gateway.close();
    await start();
    expect(await spent()).toBe(2 * before);
  });

  it('end their streams before the event that marks them as complete', async () => {
    await start();
    alter(FULL);
    await expect(chat(1, { stream: true }).then(({ text }) => text)).rejects.toThrow();
    alter('DROP TRIGGER full');
    expect((await chat(1, { stream: true })).text).toContain('[DONE]');
    await gateway.close();
    await start();
    await spent();
  });
});

describe('an upstream whose usage cannot be stored', () => {
  let upstream: Server;
  let usage: unknown[];

  beforeEach(async () => {
    upstream = createServer((request, response) => {
      request.resume().on('end', () => {
        const body = { id: 'far', choices: [], usage: { prompt_tokens: usage.shift(), completion_tokens: 1 } };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => {
      upstream.listen(0, '127.0.0.1', resolve);
    });
    const { port } = upstream.address() as AddressInfo;
    const upstreams = [{ baseUrl: `http://127.0.0.1:${port}/v1`, models: ['chat-a'] }];
    await start({ seed: { ...SEED, keys: KEYS, upstreams } });
  });
  afterEach(() => {
    upstream.closeAllConnections();
    upstream.close();
  });

  it.each([1.5, 1e300, 'many', -1e300])('fails the request with %s alone, and not the others', async (hostile) => {
    usage = Array.from({ length: COUNT }, (_, index) => (index % 3 === 0 ? hostile : 10));
    const answered = await statuses();
    expect(answered.filter((status) => status === 200).length).toBe(COUNT - COUNT / 3);
    expect(answered.filter((status) => status === 500).length).toBe(COUNT / 3);
    await spent();
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Libsql from 'libsql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ReferenceOptions, startReferenceGateway } from '../../src/reference/index.ts';
import { type Compiled, compileGateway } from './compiled.ts';
import { ANNA, type Body, headersOf, SEED, SETTINGS, send, startTestGateway } from './harness.ts';

let compiled: Compiled;
let folder: string;
let data: string;
let count = 0;

beforeAll(async () => {
  compiled = compileGateway();
  folder = await mkdtemp(join(tmpdir(), 'keyplane-ledger-'));
});
beforeEach(() => {
  count += 1;
  data = join(folder, `ledger-${count}.db`);
});
afterAll(async () => {
  compiled.remove();
  await rm(folder, { recursive: true });
});

interface Spawned {
  readonly child: ChildProcess;
  readonly url: string;
}

async function spawnGateway(options: ReferenceOptions): Promise<Spawned> {
  const child = spawn(process.execPath, [compiled.program, JSON.stringify({ control: true, data, ...options })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('no standard output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url };
}

async function kill({ child }: Spawned): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

interface Acknowledged {
  readonly names: Set<string>;
  readonly requestIds: Set<string>;
  readonly deleted: Set<number>;
}

/** Keys to delete: so many for each worker in each round. */
const DOOMED = 100;
const WORKERS = 6;
const ROUNDS = [75, 150, 225];

/** Creates, spends and deletes without end; notes what was acknowledged. Ends when the gateway is gone. */
async function work(url: string, worker: number, seen: Acknowledged): Promise<void> {
  const headers = headersOf(ANNA);
  for (let turn = 0; ; turn += 1) {
    try {
      const name = `w${worker}-${turn}`;
      const created = await send(`${url}/api/token/`, 'POST', { ...SETTINGS, name }, headers);
      if (created.success === true) seen.names.add(name);
      const spent = await send(`${url}/_reference/spend`, 'POST', { keyId: 1 + (turn % 2), quota: 3 });
      if (spent.status === 200) seen.requestIds.add(String(spent.json?.requestId));
      const doomed = 3 + worker * DOOMED + (turn % DOOMED);
      const removed = await send(`${url}/api/token/${doomed}`, 'DELETE', undefined, headers);
      if (removed.success === true) seen.deleted.add(doomed);
    } catch {
      return;
    }
  }
}

const DOOMED_KEYS = Array.from({ length: DOOMED * WORKERS * ROUNDS.length }, (_, index) => ({
  id: 3 + index,
  name: `doomed-${index}`,
}));

/** Wallet, keys and log agree. */
function expectAgreement(state: Body): void {
  const [anna] = state.accounts as Body[];
  const log = state.log as Body[];
  const spent = log.reduce((sum, { quota }) => sum + Number(quota), 0);
  expect(Number(anna?.quota)).toBe(1_000_000 - spent);
  expect(Number(anna?.used_quota)).toBe(spent);
  expect(Number(anna?.request_count)).toBe(log.length);
  for (const key of (state.keys as Body[]).filter(({ name }) => name === 'payer-1' || name === 'payer-2')) {
    const used = log.filter(({ token_id }) => token_id === key.id).reduce((sum, { quota }) => sum + Number(quota), 0);
    expect(key.used_quota).toBe(used);
    expect(Number(key.remain_quota)).toBe(500_000 - used);
  }
}

describe('a gateway with a ledger file', () => {
  it('loses no acknowledged write when it is killed repeatedly', async () => {
    const payers = [1, 2].map((id) => ({ id, name: `payer-${id}`, remain_quota: 500_000 }));
    const seed = { ...SEED, keys: [...payers, ...DOOMED_KEYS] };
    const seen: Acknowledged = { names: new Set(), requestIds: new Set(), deleted: new Set() };
    for (const [round, enough] of ROUNDS.entries()) {
      const gateway = await spawnGateway({ seed });
      const working = Array.from({ length: WORKERS }, (_, index) => work(gateway.url, round * WORKERS + index, seen));
      // Killed while requests are under way: as soon as so many creates were acknowledged.
      while (seen.names.size < enough) await send(`${gateway.url}/api/status`, 'GET');
      await kill(gateway);
      await Promise.all(working);
    }
    const gateway = await spawnGateway({});
    const state = (await send(`${gateway.url}/_reference/state`, 'GET')).json ?? {};
    await kill(gateway);
    const names = (state.keys as Body[]).map(({ name }) => name as string);
    expect(names.length).toBe(new Set(names).size);
    expect([...seen.names].filter((name) => !names.includes(name))).toEqual([]);
    const requests = new Set((state.log as Body[]).map(({ request_id }) => request_id as string));
    expect([...seen.requestIds].filter((id) => !requests.has(id))).toEqual([]);
    expect(seen.requestIds.size).toBeGreaterThan(50);
    expect(seen.deleted.size).toBeGreaterThan(50);
    expect((state.keys as Body[]).filter(({ id }) => seen.deleted.has(Number(id)))).toEqual([]);
    expectAgreement(state);
  });

  it('keeps its accounts, tokens, keys and catalog after a restart, and ignores the new seed', async () => {
    const first = await startTestGateway({ data, seed: { ...SEED, keys: [{ name: 'old', fork: 'x' }] } });
    await first.createKey({ name: 'new' });
    const accessToken = String((await first.call('GET', '/api/user/token')).data);
    const before = await first.control('GET', '/state');
    await first.close();
    const second = await startTestGateway({
      data,
      seed: { accounts: [{ userId: 1, accessToken: 'other' }], quotaPerUnit: 1 },
    });
    expect(await second.control('GET', '/state')).toEqual(before);
    expect(second.accounts).toEqual([
      { userId: 42, accessToken },
      { userId: 43, accessToken: 'token-of-bert' },
    ]);
    expect((await second.call('GET', '/api/status')).data).toEqual({ quota_per_unit: 500_000 });
    const renewed = headersOf({ userId: 42, accessToken });
    const kept = { ...SETTINGS, id: 1, name: 'old', fork: 'y' };
    expect((await second.call('PUT', '/api/token/', kept, renewed)).success).toBe(true);
    expect((await second.storedKeys())[0]).toMatchObject({ fork: 'y' });
    await second.close();
  });

  it('may change its profile between two starts', async () => {
    const first = await startTestGateway({ data });
    await first.createKey({ name: 'kept' });
    await first.close();
    const second = await startTestGateway({ data, profile: 'deployed' });
    expect((await second.call('GET', '/api/token/')).data).toMatchObject({ total: 1 });
    await second.close();
  });

  it('has everything in one file after an orderly shutdown', async () => {
    const first = await startTestGateway({ data });
    await first.createKey({ name: 'carried' });
    await first.close();
    const copy = join(folder, 'copy.db');
    await copyFile(data, copy);
    const second = await startTestGateway({ data: copy });
    expect((await second.storedKeys()).map(({ name }) => name)).toEqual(['carried']);
    await second.close();
  });

  it('adds the settings that an older ledger lacks, each with its default', async () => {
    const first = await startTestGateway({ data });
    await first.createKey({ name: 'older', cross_group_retry: true, allow_ips: '10.0.0.1' });
    await first.close();
    const older = new Libsql(data);
    for (const column of ['cross_group_retry', 'expired_time', 'allow_ips', 'smart_route_tiers'])
      older.exec(`ALTER TABLE key DROP COLUMN ${column}`);
    older.close();
    const second = await startTestGateway({ data });
    const added = { cross_group_retry: false, expired_time: -1, allow_ips: null, smart_route_tiers: '' };
    expect(await second.storedKeys()).toMatchObject([{ name: 'older', ...added }]);
    await second.createKey({ name: 'newer', cross_group_retry: true });
    expect((await second.storedKeys()).at(-1)).toMatchObject({ name: 'newer', cross_group_retry: true });
    await second.close();
  });

  it('adds the tables that a ledger of version 1 lacks', async () => {
    const first = await startTestGateway({ data });
    await first.createKey({ name: 'kept' });
    await first.close();
    const older = new Libsql(data);
    for (const table of ['hold', 'task', 'file']) older.exec(`DROP TABLE ${table}`);
    older.exec('PRAGMA user_version = 1');
    older.close();
    const second = await startTestGateway({ data });
    expect(await second.control('GET', '/tasks')).toEqual({ tasks: [] });
    expect((await second.storedKeys()).map(({ name }) => name)).toEqual(['kept']);
    await second.close();
  });

  it('refuses a ledger of a later version', async () => {
    await (await startTestGateway({ data })).close();
    const later = new Libsql(data);
    later.exec('PRAGMA user_version = 3');
    later.close();
    await expect(startReferenceGateway({ data })).rejects.toMatchObject({ code: 'file.unwritable' });
  });

  it('creates files that only the owner may read', async () => {
    const gateway = await startTestGateway({ data });
    await gateway.createKey({ name: 'secret' });
    expect((await stat(data)).mode & 0o077).toBe(0);
    expect((await stat(`${data}-wal`)).mode & 0o077).toBe(0);
    await gateway.close();
  });

  it('is refused while another gateway uses the file, also under another name, and starts once that is gone', async () => {
    const running = await spawnGateway({ seed: SEED });
    const link = join(folder, 'link.db');
    await symlink(data, link);
    for (const file of [data, link])
      await expect(startReferenceGateway({ data: file })).rejects.toMatchObject({ code: 'file.locked' });
    await kill(running);
    const next = await startTestGateway({ data: link });
    await expect(startReferenceGateway({ data })).rejects.toMatchObject({ code: 'file.locked' });
    await next.createKey({ name: 'kept' });
    await next.close();
    const last = await startTestGateway({ data });
    expect((await last.storedKeys()).map(({ name }) => name)).toEqual(['kept']);
    await last.close();
  });

  it('rejects a file that is not a ledger, and does not change it', async () => {
    await writeFile(data, 'This is a letter to my grandmother, and certainly longer than any header.');
    await expect(startReferenceGateway({ data })).rejects.toMatchObject({ code: 'file.unwritable' });
    await expect(startReferenceGateway({ data: join(folder, 'no/such/folder.db') })).rejects.toMatchObject({
      code: 'file.unwritable',
    });
    expect((await stat(data)).size).toBe(73);
  });
});

describe('a gateway with a ledger in memory', () => {
  it('creates 1,500 keys over HTTP and lists each of them once', async () => {
    const gateway = await startTestGateway();
    const headers = headersOf(ANNA);
    for (let start = 0; start < 1500; start += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          send(`${gateway.url}/api/token/`, 'POST', { ...SETTINGS, name: `k${start + index}` }, headers),
        ),
      );
    }
    const names = new Set<unknown>();
    for (let page = 1; page <= 15; page += 1) {
      const answer = await gateway.call('GET', `/api/token/?p=${page}&size=100`);
      for (const { name } of (answer.data as { items: Body[] }).items) names.add(name);
    }
    expect(names.size).toBe(1500);
    await gateway.close();
  });
});

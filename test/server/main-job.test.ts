import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/output/exit-codes.ts';
import { type ClientFolder, openClientFolder } from './client-folder.ts';
import { chat } from './differential/directed.ts';
import {
  type Answer,
  empty,
  type Operation,
  perform,
  readState,
  type Side,
  sideOf,
  use,
} from './differential/operation.ts';
import { openPeer } from './open-peer.ts';
import { MODEL, type Peer, VIDEO_MODEL } from './peer.ts';

interface StoredKey {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly group: string;
  readonly remain_quota: number;
  readonly used_quota: number;
}

/** Time passes without waiting at the reference gateway, whose answers need none. */
const hours = process.env.KEYPLANE_ACCEPTANCE_URL ? undefined : { passed: 0 };

let peer: Peer;
let side: Side;
let folder: ClientFolder;
beforeAll(async () => {
  peer = await openPeer();
  const owner = await peer.makeOwner('rich');
  side = sideOf(peer.url, owner, peer.kind);
  folder = await openClientFolder({ url: peer.url, owner, hours });
});
afterAll(async () => {
  await peer.close();
  await folder.close();
});
beforeEach(() => empty(side));

const run: ClientFolder['run'] = (...words) => folder.run(...words);
const declare: ClientFolder['declare'] = (...texts) => folder.declare(...texts);

async function keys(): Promise<readonly StoredKey[]> {
  const { body } = await readState(side);
  const items = peer.kind.keys.read((body as { data: unknown }).data) as unknown as readonly StoredKey[];
  return [...items].sort((a, b) => a.id - b.id);
}

interface Checked {
  readonly verdict: string;
  readonly reason?: string;
  readonly cost?: { readonly charged?: number; readonly estimated?: number };
}

const checked = (...flags: readonly string[]): Promise<readonly Checked[]> => checkedIn(folder, ...flags);

async function checkedIn(at: ClientFolder, ...flags: readonly string[]): Promise<readonly Checked[]> {
  const { stdout } = await at.run('check', '--format', 'json', ...flags);
  return (JSON.parse(stdout) as { data: { results: readonly Checked[] } }).data.results;
}

const names = async (): Promise<readonly string[]> => (await keys()).map(({ name }) => name).sort();
const send = (operation: Operation): Promise<Answer> => perform(side, operation);
const spend = (place: number): Promise<Answer> =>
  use(side, chat({ model: MODEL, messages: [{ role: 'user', content: 'one two three' }], max_tokens: 5 }, place));

/** Another address of this machine. */
const ELSEWHERE = '127.0.0.2';

const APPS = ['app-1', 'app-2', 'app-3'];
const ALL = APPS.map((name) => `  ${name}: { budget: { quota: 100000 }, models: [${MODEL}] }`).join('\n');

describe('a gateway', () => {
  it('is brought to what is declared, also after people changed it, and emptied', async () => {
    await declare(ALL);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(APPS);
    expect(await run('drift')).toMatchObject({ code: 0 });
    const [first, second] = await keys();
    await send({
      method: 'PUT',
      path: '/api/token/',
      body: JSON.stringify(peer.kind.withAnyModel({ ...first, group: 'vip', remain_quota: 1 })),
    });
    await send({ method: 'DELETE', path: `/api/token/${second?.id}` });
    expect(await run('drift')).toMatchObject({ code: 2 });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await run('drift')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(APPS);
    expect((await keys())[0]).toMatchObject({ id: first?.id, remain_quota: 100_000 });
    expect(await run('destroy', '--yes')).toMatchObject({ code: 0 });
    expect(await names()).toEqual([]);
  });

  it('keeps a key that is not declared, to the last field', async () => {
    await send({
      method: 'POST',
      path: '/api/token/',
      body: JSON.stringify({ name: 'by-hand', expired_time: -1, remain_quota: 77, unlimited_quota: false }),
    });
    const [before] = await keys();
    await declare(ALL);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await run('destroy', '--yes')).toMatchObject({ code: 0 });
    expect(await keys()).toEqual([before]);
  });

  it('grants a budget to the unit, while the key is used', async () => {
    await declare(`  app-1: { budget: { quota: 100000 } }\n`);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['app-1']);
    for (let times = 1; times <= 3; times += 1) expect(await spend(0)).toMatchObject({ status: 200 });
    expect(await run('drift')).toMatchObject({ code: 0 });
    await declare(`  app-1: { budget: { quota: 150000 } }\n`);
    const [applied] = await Promise.all([run('apply', '--yes'), spend(0), spend(0), spend(0)]);
    expect([0, 5]).toContain(applied.code);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    // Servers in production write the use of keys every few seconds.
    await expect.poll(async () => (await keys())[0]?.used_quota, { timeout: 60_000 }).toBeGreaterThan(0);
    const [key] = await keys();
    expect(Number(key?.remain_quota) + Number(key?.used_quota)).toBe(150_000);
  });

  it('serves what it should, and rejects what it should', async () => {
    const rule = peer.kind.modelRule
      ? `module: ${peer.kind.modelRule}`
      : 'module: forbidden-model, model: no-such-model-9';
    await declare(
      `  app-1: { budget: { quota: 100000 }, models: [${MODEL}], checks: [chat, other] }\n`,
      `checks:\n  chat: { module: chat, model: ${MODEL} }\n  other: { ${rule} }\n`,
    );
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect((await checked()).map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  });

  it('rejects keys that are disabled, expired or used up', async () => {
    const names = ['disabled', 'expired', 'exhausted'];
    const off = (name: string): string => (name === 'disabled' ? 'enabled: false, ' : '');
    await declare(
      names
        .map((name) => `  ${name}: { ${off(name)}budget: { quota: 9 }, models: [${MODEL}], checks: [${name}] }\n`)
        .join(''),
      `checks:\n${names.map((name) => `  ${name}: { module: ${name}-key }\n`).join('')}`,
    );
    expect(await run('apply', '--yes', '--no-check')).toMatchObject({ code: EXIT.done });
    const ends: Readonly<Record<string, object>> = { expired: { expired_time: 1 }, exhausted: { remain_quota: 0 } };
    for (const key of await keys()) {
      const body = JSON.stringify({ ...key, ...ends[key.name] });
      if (key.name in ends) await send({ method: 'PUT', path: '/api/token/', body });
    }
    const results = (await checked()).map(({ verdict, reason }) => [verdict, reason]);
    expect(results).toEqual(names.map(() => ['passed', undefined]));
  });

  it('rejects a key from an address that it does not allow', async () => {
    await declare(
      `  app-1: { budget: { quota: 100000 }, models: [${MODEL}], allowIps: [127.0.0.1], checks: [elsewhere] }\n`,
      'checks:\n  elsewhere: { module: forbidden-address }\n',
    );
    expect(await run('apply', '--yes', '--no-check')).toMatchObject({ code: EXIT.done });
    expect(await checked('--source-address', ELSEWHERE)).toMatchObject([{ verdict: 'passed' }]);
  });

  it('believes the address that a client sends, which a check finds out', async () => {
    await declare(
      `  app-1: { budget: { quota: 100000 }, models: [${MODEL}], allowIps: [203.0.113.7], checks: [spoofed] }\n`,
      'checks:\n  spoofed: { module: spoofed-address }\n',
    );
    const { guardedLists } = peer.kind.has;
    // Free checks are part of an apply.
    expect(await run('apply', '--yes')).toMatchObject({ code: guardedLists ? EXIT.checksFailed : EXIT.done });
    // A second address is known not to be allowed. Only a chat shows the rule if lists do not.
    const [result] = await checked(...(guardedLists ? [] : ['--source-address', ELSEWHERE]));
    expect(result).toMatchObject({ verdict: 'failed', ...(guardedLists && { cost: { charged: 0 } }) });
    expect(result?.reason).toContain('X-Forwarded-For does not lift');
  });

  it.for([
    ['any model', ''],
    ['an allowlist', `models: [${VIDEO_MODEL}], `],
  ])('makes a video for a key with %s, and charges it once', async ([, models], context) => {
    if (!peer.kind.has.videos) context.skip(`${peer.name} has no channel for videos`);
    await declare(
      `  app-1: { budget: { quota: 5000000 }, ${models}checks: [film] }\n`,
      `checks:\n  film: { module: video, model: ${VIDEO_MODEL} }\n`,
    );
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    const [result] = await checked('--costly');
    expect(result).toMatchObject({ verdict: 'passed' });
    const [key] = await keys();
    expect(result?.cost?.charged).toBe(key?.used_quota);
  });

  it('shows prices that limit a check before anybody has paid for its model', async (context) => {
    if (!peer.kind.has.publicPrices) context.skip(`${peer.name} shows no prices`);
    const owner = await peer.makeOwner('rich');
    const fresh = await openClientFolder({ url: peer.url, owner, hours });
    await fresh.declare(
      `  app-1: { budget: { quota: 100000 }, checks: [chat] }\n`,
      `checks:\n  chat: { module: chat, model: ${MODEL} }\n`,
    );
    expect(await fresh.run('apply', '--yes', '--no-check')).toMatchObject({ code: 0 });
    const reason = 'the cost limit of the run is reached';
    expect(await checkedIn(fresh, '--max-cost', '0.0001')).toMatchObject([{ verdict: 'skipped', reason }]);
    const [result] = await checkedIn(fresh, '--max-cost', '1');
    expect(result).toMatchObject({ verdict: 'passed' });
    if (peer.kind.has.requestIds) {
      expect(result?.cost?.charged).toBeGreaterThan(0);
      expect(result?.cost?.charged).toBeLessThanOrEqual(result?.cost?.estimated ?? 0);
    }
    await fresh.close();
  });

  it('has each key once after an apply that was killed', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `app-${index + 1}`);
    await declare(many.map((name) => `  ${name}: { budget: { quota: 100000 } }`).join('\n'));
    const { child, ended } = folder.start('apply', '--yes');
    while ((await keys()).length === 0 && child.exitCode === null);
    child.kill('SIGKILL');
    await ended;
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await names()).toEqual([...many].sort());
  });
});

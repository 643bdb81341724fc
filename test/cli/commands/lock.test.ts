import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Seed } from '../../../src/reference/index.ts';
import { openAccount, SEED } from '../account.ts';

const MANIFEST = 'keys: { app-1: {}, app-2: {}, app-3: { budget: { usd: 1 } } }\n';
const JOB = 'https://ci.example.com/jobs/7';

/** A claim of a run on another machine. */
const claim = (more: object = {}) => {
  const note = { h: 'other', b: 3, p: 77, n: 'runner-9', s: 1_999_999_000, r: JOB, ...more };
  return {
    id: 9,
    name: 'keyplane.lock',
    remain_quota: 0,
    model_limits_enabled: true,
    model_limits: `keyplane.lock/1/${Buffer.from(JSON.stringify(note)).toString('base64url')}`,
  };
};
const HELD: Seed = { ...SEED, keys: [...(SEED.keys ?? []), claim()] };

let account: Awaited<ReturnType<typeof openAccount>>;
afterEach(() => account.close());

async function ask(words: readonly string[], env: Record<string, string> = {}) {
  const terminal = account.terminal(false, { KEYPLANE_LOCK: 'gateway', ...env });
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: terminal.err(), waited: terminal.io.steady() / 1000 };
}

/** The folder of the locks of this machine. */
const locks = () => join(account.folder, '.local', 'state', 'keyplane', 'locks');

async function requests(): Promise<Record<string, number>> {
  const answer = await fetch(`${account.url}/_reference/requests`, { method: 'DELETE' });
  return ((await answer.json()) as { requests: Record<string, number> }).requests;
}

describe('the lock that machines share', () => {
  it('is claimed by an apply with something to write, and given back', async () => {
    account = await openAccount(MANIFEST);
    await requests();
    expect(await ask(['apply', '--yes'])).toMatchObject({ code: 0, err: expect.not.stringContaining('warning') });
    const sent = await requests();
    expect([sent['POST /api/token/'], sent['GET /api/token/search'], sent['DELETE /api/token/{id}']]).toEqual([
      2, 1, 1,
    ]);
    expect(await account.names()).toEqual(['app-1', 'app-2', 'app-3']);
    await requests();
    expect((await ask(['apply', '--yes'])).code).toBe(0);
    expect(Object.keys(await requests()).filter((each) => !each.startsWith('GET'))).toEqual([]);
  });

  it.each(['file', 'none'])('is not claimed with --lock %s', async (kind) => {
    account = await openAccount(MANIFEST, HELD);
    expect((await ask(['apply', '--yes', '--lock', kind])).code).toBe(0);
    expect((await ask(['apply', '--yes'], { KEYPLANE_LOCK: kind })).code).toBe(0);
  });

  it('keeps a run out that does not wait, which names the other run', async () => {
    account = await openAccount(MANIFEST, HELD);
    const { code, err } = await ask(['apply', '--yes', '--lock-timeout', '0']);
    expect(code).toBe(4);
    expect(err).toContain('apply.locked');
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`process 77 on runner-9, ${JOB}, since`);
    expect(await account.names()).toEqual(['app-1', 'app-2', 'keyplane.lock']);
    expect((await ask(['keys', 'disable', 'app-1', '--yes'])).code).toBe(0);
  });

  it.each([
    ['apply', '--yes'],
    ['keys', 'rename', 'app-1', 'app-9', '--yes'],
    ['destroy', '--yes', '--max-deletes', '9'],
  ])(
    'of a runner that died is taken over by %s, when nothing that it sent can take effect any more',
    async (...words) => {
      account = await openAccount(MANIFEST, HELD);
      const { code, err, waited } = await ask(words);
      expect([code, waited >= 210 && waited < 220]).toEqual([0, true]);
      const shown = err.replaceAll(/\s+/g, ' ');
      expect(shown).toContain('Waiting up to 10 minutes for another run (process 77 on runner-9');
      expect(shown).toContain(
        'to finish. If it was killed, its lock ends in 3 minutes 30 seconds. --lock-timeout sets',
      );
      expect(await account.names()).not.toContain('keyplane.lock');
    },
  );

  it.each([
    [['--lock-timeout', '250'], 4, 250],
    [[], 0, 330],
  ])(
    'is waited for as long as both locks together allow, by default until both have ended: %j',
    async (words, expected, least) => {
      account = await openAccount(MANIFEST, HELD);
      const terminal = account.terminal(true);
      const ended = terminal.run('apply');
      await terminal.shows('to continue: ');
      const [file = ''] = await readdir(locks());
      terminal.hangUp();
      await ended;
      // Each of the two ends after minutes without a renewal.
      await writeFile(
        join(locks(), file),
        JSON.stringify({ pid: 1, host: 'another.example.com', started: '1', at: 1 }),
      );
      const { code, waited, err } = await ask(['apply', '--yes', ...words]);
      expect([code, waited >= least && waited < least + 15]).toEqual([expected, true]);
      expect(err.replaceAll(/\s+/g, ' ')).toContain('If it was killed, its lock ends in 2 minutes.');
    },
  );

  it.each([
    ['sooner where creates take effect sooner', '0', 120],
    ['later where they take effect later, and waited for until then', '600', 690],
  ])('of a runner that died is taken over %s', async (_, settle, least) => {
    account = await openAccount(MANIFEST, HELD);
    const { code, waited } = await ask(['apply', '--yes', '--settle', settle]);
    expect([code, waited >= least && waited < least + 10]).toEqual([0, true]);
  });

  it('is given back when Ctrl-C ends a run that has written nothing, with the lock of this machine', async () => {
    account = await openAccount(MANIFEST);
    const terminal = account.terminal(true, { KEYPLANE_LOCK: 'gateway' });
    const ended = terminal.run('apply');
    await terminal.shows('to continue: ');
    expect(await account.names()).toContain('keyplane.lock');
    terminal.signal('SIGINT');
    expect(await ended).toBe(130);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
    expect(await readdir(locks())).toEqual([]);
  });

  it('is left out with a warning where the account has as many keys as it may have', async () => {
    account = await openAccount(
      'keys: { app-1: { budget: { usd: 2 } } }\n',
      { ...SEED, limits: { keysPerUser: 2 } },
      'deployed',
    );
    const { code, err } = await ask(['apply', '--yes']);
    expect(code).toBe(0);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('So the lock keeps out only runs on this machine.');
  });

  it('leaves the last place for a key to a create, with a warning', async () => {
    const keys = Array.from({ length: 999 }, (_, i) => ({ id: i + 1, name: `old-${i}`, unlimited_quota: true }));
    account = await openAccount('keys: { new: { budget: { usd: 1 } } }\n', { ...SEED, keys }, 'deployed');
    const { code, err } = await ask(['apply', '--yes']);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('So the lock keeps out only runs on this machine.');
    expect(code).toBe(0);
    expect(await account.names()).toContain('new');
  });

  it.each([
    ['--lock-timeout', 'soon'],
    ['--lock', 'redis'],
  ])('is not taken with %s %s', async (...words) => {
    account = await openAccount(MANIFEST);
    expect((await ask(['apply', '--yes', ...words])).code).toBe(3);
    expect((await ask(['apply', '--yes'], { KEYPLANE_LOCK: 'redis' })).code).toBe(3);
  });

  it('shows the job of a pipeline to others', async () => {
    account = await openAccount(MANIFEST);
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/keys', GITHUB_RUN_ID: '5' };
    const terminal = account.terminal(true, { KEYPLANE_LOCK: 'gateway', ...env });
    const ended = terminal.run('apply');
    await terminal.shows('to continue: ');
    const { out } = await ask(['lock', 'list', '--format', 'json']);
    expect(JSON.parse(out).data.claims).toMatchObject([
      { run: 'https://github.com/acme/keys/actions/runs/5', renewals: 0 },
    ]);
    terminal.type('yes');
    expect(await ended).toBe(0);
  });
});

describe('the lock of this machine', () => {
  const ofAnother = JSON.stringify({ pid: 1, host: 'another.example.com', started: '1', at: 1, nonce: 'other' });
  const remove = (path: string): Promise<void> => rm(path);
  const replace = (path: string): Promise<void> => writeFile(path, ofAnother);
  const control = (path: string, content: object) =>
    fetch(`${account.url}/_reference${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
    });
  const writes = async () => Object.entries(await requests()).filter(([request]) => !request.startsWith('GET'));

  /** Does it to the lock file of the run. Returns what is left in its folder. */
  async function breakLock(how: (path: string) => Promise<void>): Promise<() => Promise<readonly string[]>> {
    const folder = join(account.folder, '.local', 'state', 'keyplane', 'locks');
    const [file = ''] = await readdir(locks());
    await how(join(locks(), file));
    return () => readdir(folder);
  }

  it.each([
    [remove, ['apply'], 0],
    [replace, ['apply'], 1],
    [remove, ['destroy', '--max-deletes', '9'], 0],
    [replace, ['keys', 'rename', 'app-1', 'app-9'], 1],
    [remove, ['keys', 'dedupe'], 0],
  ] as const)('is verified after a person was asked: %o, %j', async (how, words, left) => {
    const twins = [
      { id: 7, name: 'twin', used_quota: 1 },
      { id: 8, name: 'twin' },
    ];
    const isDedupe = words.includes('dedupe' as never);
    account = await openAccount(MANIFEST, { ...SEED, keys: [...(SEED.keys ?? []), ...(isDedupe ? twins : [])] });
    const before = await account.names();
    const terminal = account.terminal(true);
    const ended = terminal.run(...words);
    await terminal.shows('to continue: ');
    const locks = await breakLock(how);
    await requests();
    terminal.type(terminal.err().match(/Type (\S+) to continue/)?.[1] ?? '');
    expect(await ended).toBe(4);
    expect(await writes()).toEqual([]);
    expect(terminal.out() + terminal.err()).toContain('apply.lock-lost');
    expect(await account.names()).toEqual(before);
    expect(await locks()).toHaveLength(left);
  });

  const duplicates = (unused: number): Seed => {
    const keys = Array.from({ length: unused }, (_, n) => ({ id: 101 + n, name: 'twin' }));
    return { ...SEED, keys: [{ id: 100, name: 'twin', used_quota: 1 }, ...keys] };
  };

  it('is verified after keys were read again, which may take minutes', async () => {
    account = await openAccount('keys: {}\n', duplicates(1));
    const terminal = account.terminal(true);
    const ended = terminal.run('keys', 'dedupe');
    await terminal.shows('to continue: ');
    await control('/faults', { kind: 'hold', method: 'GET', path: '/api/token/', times: 1 });
    terminal.type('yes');
    await fetch(`${account.url}/_reference/held?wait=1`);
    await breakLock(remove);
    await requests();
    await control('/release', {});
    expect([await ended, await writes()]).toEqual([4, []]);
    expect(terminal.err()).toContain('apply.lock-lost');
  });

  it('is verified before each batch of deletes, and the result shows what was deleted', async () => {
    account = await openAccount('keys: {}\n', duplicates(150));
    await control('/faults', { kind: 'hold', method: 'POST', path: '/api/token/batch', times: 1 });
    const ended = ask(['keys', 'dedupe', '--yes'], { KEYPLANE_LOCK: 'file' });
    await fetch(`${account.url}/_reference/held?wait=1`);
    await breakLock(remove);
    await requests();
    await control('/release', {});
    const { code, out, err } = await ended;
    expect([code, await writes()]).toEqual([4, []]);
    expect(out.match(/key \d+: deleted\n/g)).toHaveLength(100);
    expect(out.match(/key \d+: not deleted\n/g)).toHaveLength(50);
    expect(err).toContain('apply.lock-lost');
  });

  it.each([
    [remove, 0, 'its file was removed'],
    [replace, 1, 'its file is that of another run'],
  ] as const)('ends an apply between two writes: %o', async (how, left, why) => {
    const keys = Array.from({ length: 6 }, (_, i) => `new-${i}: { budget: { usd: 1 } }`).join(', ');
    account = await openAccount(`keys: { app-1: {}, app-2: {}, ${keys} }\n`);
    await control('/faults', { kind: 'hold', method: 'POST', path: '/api/token/', skip: 2, times: 1 });
    const ended = ask(['apply', '--yes', '--concurrency', '1'], { KEYPLANE_LOCK: 'file' });
    await fetch(`${account.url}/_reference/held?wait=1`);
    const locks = await breakLock(how);
    await requests();
    await control('/release', {});
    const { code, out } = await ended;
    expect([code, await writes(), await locks()]).toEqual([4, [], expect.objectContaining({ length: left })]);
    expect((await account.names()).filter((name) => name.startsWith('new'))).toEqual(['new-0', 'new-1', 'new-2']);
    const report = out.replaceAll(/\s+/g, ' ');
    expect(report).toContain(`apply.lock-lost]: This run no longer holds the lock of the account: ${why}.`);
    expect(report).toContain('3 skipped');
    expect((await ask(['apply', '--yes', '--lock', 'none'])).code).toBe(0);
    expect(await account.names()).toHaveLength(8);
  });
});

describe('a claim of the lock', () => {
  it('is not among the keys of the account', async () => {
    account = await openAccount(MANIFEST, HELD);
    expect((await ask(['keys', 'list'])).out).toContain('2 keys');
    expect((await ask(['import'])).out).not.toContain('keyplane.lock');
    expect((await ask(['keys', 'get', '9'])).code).not.toBe(0);
  });

  it('has a name that no manifest may declare and no key may get', async () => {
    account = await openAccount('keys: { Keyplane.Lock: {} }\n');
    expect(await ask(['plan'])).toMatchObject({ code: 3, err: expect.stringContaining('reserved for the lock') });
    expect((await ask(['keys', 'rename', 'app-1', 'keyplane.lock', '--yes'])).code).toBe(3);
  });

  it('is listed and removed by hand', async () => {
    account = await openAccount(MANIFEST, HELD);
    expect((await ask(['lock', 'list'])).out).toMatchInlineSnapshot(`
      "ID  HOST      PROCESS  SINCE                 RENEWALS  JOB
       9  runner-9       77  2033-05-18T03:16:40Z         3  https://ci.example.com/j…
      "
    `);
    expect((await ask(['lock', 'break', '3', '--yes'])).code).toBe(3);
    expect((await ask(['lock', 'break'])).code).toBe(4);
    expect(await ask(['lock', 'break', '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('claim 9') });
    expect(await ask(['lock', 'break', '--yes'])).toMatchObject({ code: 0, out: 'No run holds the lock.\n' });
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it('that cannot be read is listed, and is named when several are to be chosen from', async () => {
    const damaged = { ...claim(), id: 10, model_limits: 'keyplane.lock/2/x' };
    account = await openAccount(MANIFEST, { ...HELD, keys: [...(HELD.keys ?? []), damaged] });
    expect((await ask(['lock', 'list'])).out).toContain('(unreadable)');
    expect((await ask(['lock', 'break', '--yes'])).code).toBe(3);
    expect((await ask(['lock', 'break', '10', '--yes'])).out).toBe('claim 10: removed\n');
  });
});

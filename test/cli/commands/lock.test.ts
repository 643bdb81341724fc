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
      expect([code, waited >= 210 && waited < 300]).toEqual([0, true]);
      expect(err.replaceAll(/\s+/g, ' ')).toContain('Waiting up to 5 m');
      expect(await account.names()).not.toContain('keyplane.lock');
    },
  );

  it('of a runner that died is taken over sooner where creates take effect sooner', async () => {
    account = await openAccount(MANIFEST, HELD);
    const { code, waited } = await ask(['apply', '--yes', '--settle', '0']);
    expect([code, waited >= 120 && waited < 200]).toEqual([0, true]);
  });

  it('is given back when Ctrl-C ends a run that has written nothing', async () => {
    account = await openAccount(MANIFEST);
    const terminal = account.terminal(true, { KEYPLANE_LOCK: 'gateway' });
    const ended = terminal.run('apply');
    await terminal.shows('to continue: ');
    expect(await account.names()).toContain('keyplane.lock');
    terminal.signal('SIGINT');
    expect(await ended).toBe(130);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
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

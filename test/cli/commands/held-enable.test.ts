import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

type Account = Awaited<ReturnType<typeof openAccount>>;

const KEYS = 'keys:\n  app-1: { budget: { usd: 1 } }\n  app-2: { group: GROUP, budget: { usd: 1 } }\n';

let account: Account;
beforeEach(async () => {
  account = await openAccount(KEYS.replace('GROUP', 'default'));
});
afterEach(() => account.close());

const declare = (text: string): Promise<void> =>
  writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\n${text}`);

async function ask(...words: string[]) {
  const terminal = account.terminal(false);
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: terminal.err() };
}

async function statuses(): Promise<Readonly<Record<string, string>>> {
  const { out } = await ask('keys', 'list', '--format', 'json');
  const { keys } = (JSON.parse(out) as { data: { keys: { name: string; status: string }[] } }).data;
  return Object.fromEntries(keys.map(({ name, status }) => [name, status]));
}

interface Data {
  readonly converged: boolean;
  readonly summary: { readonly verbs: Readonly<Record<string, number>> };
  readonly changes: readonly { readonly verb: string; readonly name: string; readonly reason?: string }[];
  readonly outcomes: readonly { readonly state: string; readonly change: { readonly verb: string } }[];
}

async function dataOf(...words: string[]): Promise<Data> {
  return (JSON.parse((await ask(...words, '--format', 'json')).out) as { data: Data }).data;
}

/** Somebody disables a leaked key; then the next, unrelated merge comes. */
async function disableAndMerge(): Promise<void> {
  expect((await ask('keys', 'disable', 'app-1', '--yes')).code).toBe(0);
  await declare(KEYS.replace('GROUP', 'vip'));
}

describe('a leaked key that was disabled by hand', () => {
  it('is not revived by the next apply, which does everything else and exits with 0', async () => {
    await disableAndMerge();
    const { code, out, err } = await ask('apply', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('done    update   app-2')]);
    expect(out).toContain('1 disabled key stays disabled: app-1 (id 3).');
    expect(err).toContain('! HELD     app-1 (id 3)');
    expect(await statuses()).toEqual({ 'app-1': 'disabled', 'app-2': 'enabled' });
    expect((await ask('apply', '--yes')).code).toBe(0);
    expect((await statuses())['app-1']).toBe('disabled');
    expect((await dataOf('apply', '--yes')).converged).toBe(true);
  });

  it.each(['text', 'markdown', 'html', 'json', 'junit', 'tap'])('is drift in %s, and comes first', async (format) => {
    await disableAndMerge();
    const { code, out } = await ask('drift', '--format', format);
    expect(code).toBe(2);
    expect(out).toContain('app-1');
    expect(out.indexOf('app-1')).toBeLessThan(out.indexOf('app-2'));
  });

  it.each(['text', 'markdown', 'html', 'json'])('comes first in the plan in %s, which exits with 2', async (format) => {
    await disableAndMerge();
    const { code, out } = await ask('plan', '--detailed-exitcode', '--format', format);
    expect(code).toBe(2);
    expect(out).toMatch(format === 'json' ? /"verb":"hold"/ : /HELD/);
    expect(out.indexOf('app-1')).toBeLessThan(out.indexOf('app-2'));
  });

  it('is enabled with the permission of --allow-enable, and by keys enable', async () => {
    await disableAndMerge();
    const { code, out } = await ask('apply', '--yes', '--allow-enable', 'app-1');
    expect([code, out]).toEqual([0, expect.stringContaining('done    enable   app-1 (id 3)')]);
    expect((await statuses())['app-1']).toBe('enabled');
    await ask('keys', 'disable', 'app-1', '--yes');
    expect((await ask('keys', 'enable', 'app-1', '--yes')).code).toBe(0);
    expect((await ask('drift')).code).toBe(0);
  });

  it.each(['app-2', 'app-3', 'app-*', 'APP-1'])(
    'refuses the permission for %s, which no held enable has',
    async (name) => {
      await disableAndMerge();
      for (const command of [['plan'], ['apply', '--yes']]) {
        const { code, err } = await ask(...command, '--allow-enable', 'app-1', '--allow-enable', name);
        expect([code, err]).toEqual([
          3,
          expect.stringContaining(`error[plan.not-held]: No enable is held for “${name}”.`),
        ]);
      }
      expect((await statuses())['app-1']).toBe('disabled');
    },
  );

  it('is enabled when the earlier manifest declared it disabled, and not when it declared it enabled', async () => {
    await writeFile(join(account.folder, 'before.yaml'), `version: 1\n${KEYS.replace('GROUP', 'default')}`);
    await disableAndMerge();
    expect((await dataOf('plan', '--base', 'before.yaml')).changes[0]).toMatchObject({ verb: 'hold', name: 'app-1' });
    await writeFile(join(account.folder, 'before.yaml'), 'version: 1\nkeys: { app-1: { enabled: false } }\n');
    const planned = await dataOf('plan', '--base', 'before.yaml');
    expect(planned.changes.find(({ verb }) => verb === 'enable')).toMatchObject({ name: 'app-1', reason: 'base' });
    expect((await ask('apply', '--yes', '--base', 'before.yaml')).code).toBe(0);
    expect((await statuses())['app-1']).toBe('enabled');
  });
});

describe('a saved plan', () => {
  it('holds the permission that it was made with', async () => {
    await disableAndMerge();
    await ask('plan', '--key', 'app-1', '--out', 'without.json');
    await ask('plan', '--key', 'app-1', '--out', 'with.json', '--allow-enable', 'app-1');
    const without = await ask('apply', 'without.json', '--yes');
    expect([without.code, without.out]).toEqual([0, expect.stringContaining('1 disabled key stays disabled')]);
    expect((await statuses())['app-1']).toBe('disabled');
    expect((await ask('apply', 'with.json', '--yes')).code).toBe(0);
    expect((await statuses())['app-1']).toBe('enabled');
  });

  it('refuses a base of another account, whose keys are not these', async () => {
    const account42 = 'gateway: { userId: 42 }\nkeys: { app-1: {} }\n';
    await declare(account42);
    const other = account42.replace('42', '43').replace('{}', '{ enabled: false }');
    await writeFile(join(account.folder, 'before.yaml'), `version: 1\n${other}`);
    const { code, err } = await ask('plan', '--base', 'before.yaml');
    expect([code, err.replace(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringContaining('The manifest at --base before.yaml is for another account: its gateway.userId differs.'),
    ]);
  });

  it.each(['--allow-enable', '--base'])('takes no %s: what it may do was reviewed', async (flag) => {
    await disableAndMerge();
    await ask('plan', '--out', 'plan.json');
    const { code, err } = await ask('apply', 'plan.json', '--yes', flag, 'app-1');
    expect([code, err]).toEqual([3, expect.stringContaining(`${flag} does not apply to a saved plan.`)]);
  });

  it('cannot hold an enable without a permission', async () => {
    const { decodePlan, encodePlan } = await import('../../../src/manifest/index.ts');
    await disableAndMerge();
    await ask('plan', '--out', 'plan.json', '--allow-enable', 'app-1');
    const made = decodePlan(await readFile(join(account.folder, 'plan.json'), 'utf8'));
    const old = made.changes.map((change) => (change.verb === 'enable' ? { ...change, reason: 'declared' } : change));
    const text = JSON.stringify(encodePlan({ ...made, changes: old as typeof made.changes }));
    expect(() => decodePlan(text)).toThrow('The saved plan is invalid');
  });
});

describe('the checks of an apply', () => {
  it('skip a key that stays disabled', async () => {
    await ask('keys', 'disable', 'app-1', '--yes');
    await declare(
      'checks: { pong: { module: chat, model: alpha-chat-1 } }\nkeys:\n  app-1: { group: vip, budget: { usd: 1 }, checks: [pong] }\n',
    );
    const { code, out } = await ask('apply', '--yes', '--format', 'json');
    const { checks } = (JSON.parse(out) as { data: { checks: { results: { verdict: string; why?: string }[] } } }).data;
    expect(checks.results).toMatchObject([{ verdict: 'skipped' }]);
    expect(code).toBe(0);
  });
});

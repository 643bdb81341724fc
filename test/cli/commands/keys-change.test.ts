import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPersonProxy } from '../../contract/person.ts';
import { openAccount, SEED } from '../account.ts';
import { NOW } from '../terminal.ts';

let account: Awaited<ReturnType<typeof openAccount>>;
beforeEach(async () => {
  account = await openAccount('keys: {}\n');
});
afterEach(() => account.close());

const headers = { authorization: 'Bearer token-for-tests', 'new-api-user': '42', 'content-type': 'application/json' };

/** Somebody changes a setting, or the status, of a key at the gateway. */
async function edit(id: number, more: object, statusOnly = false): Promise<void> {
  const live = (await (await fetch(`${account.url}/api/token/${id}`, { headers })).json()) as { data: object };
  const body = JSON.stringify({ ...live.data, ...more });
  const query = statusOnly ? '?status_only=true' : '';
  await fetch(`${account.url}/api/token/${query}`, { method: 'PUT', headers, body });
}

const inject = (failure: object): Promise<unknown> =>
  fetch(`${account.url}/_reference/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(failure),
  });

/** Runs a command on a terminal, and does something while it waits for the confirmation. */
async function whileAsking(words: readonly string[], act: () => Promise<unknown>) {
  const terminal = account.terminal();
  const code = terminal.run(...words);
  await terminal.shows('Type yes');
  await act();
  terminal.type('yes');
  return { code: await code, out: terminal.out(), err: terminal.err() };
}

describe('a key that somebody else changes while a command waits for a person', () => {
  it.each(['delete', 'disable', 'enable'])('is left alone by keys %s when it was renamed', async (verb) => {
    if (verb === 'enable') await edit(3, { status: 2 }, true);
    const words = ['keys', verb, 'app-1', ...(verb === 'delete' ? ['app-2'] : [])];
    const { code, out, err } = await whileAsking(words, () => edit(3, { name: 'theirs' }));
    expect(await account.names()).toEqual(verb === 'delete' ? ['theirs'] : ['app-2', 'theirs']);
    expect(out).toContain('app-1 (id 3): skipped: changed by somebody else since it was planned: name is now "theirs"');
    // One of two was deleted.
    expect([code, err]).toEqual(
      verb === 'delete'
        ? [5, expect.stringContaining('apply.incomplete')]
        : [4, expect.stringContaining('error[plan.stale]')],
    );
  });

  it('is not deleted when it got a setting that the person at the terminal did not see', async () => {
    const { code } = await whileAsking(['keys', 'delete', '3'], () => edit(3, { group: 'vip' }));
    expect([code, await account.names()]).toEqual([4, ['app-1', 'app-2']]);
  });

  it('counts as done when somebody else did it', async () => {
    const remove = () => fetch(`${account.url}/api/token/3`, { method: 'DELETE', headers });
    const { code, out } = await whileAsking(['keys', 'delete', '3'], remove);
    expect([code, out]).toEqual([0, 'app-1 (id 3): deleted (somebody else had already deleted it)\n']);
  });
});

describe('a write that the gateway holds back', () => {
  it.each([
    ['delete', 'POST', '/api/token/batch'],
    ['disable', 'PUT', '/api/token/'],
  ])('is not made by keys %s to a key that was renamed while it waited', async (verb, method, path) => {
    let isRenamed = false;
    const proxy = await openPersonProxy(account.url, async ({ name }) => {
      if (isRenamed || !name.startsWith(`${method} ${path}`)) return;
      isRenamed = true;
      await edit(3, { name: 'theirs' });
      await inject({ kind: 'empty-429', times: 1, retryAfter: 0, method, path });
    });
    const terminal = account.terminal(false, { KEYPLANE_URL: proxy.url });
    const code = await terminal.run('keys', verb, 'app-1', '--yes');
    await proxy.close();
    expect([code, terminal.out()]).toEqual([4, expect.stringContaining('skipped: changed by somebody else')]);
    expect(await account.names()).toEqual(['app-2', 'theirs']);
  });
});

describe('a delete whose response was lost', () => {
  it.each([
    ['cut-after', 0, 'deleted', ['app-2']],
    ['cut-before', 1, 'UNKNOWN: ', ['app-1', 'app-2']],
  ])('is looked up (%s)', async (kind, exit, words, left) => {
    await inject({ kind, method: 'POST', path: '/api/token/batch', times: 9 });
    const terminal = account.terminal(false);
    const code = await terminal.run('keys', 'delete', 'app-1', '--yes', '--format', 'text');
    expect([code, terminal.out()]).toEqual([exit, expect.stringContaining(`app-1 (id 3): ${words}`)]);
    expect(await account.names()).toEqual(left);
  });
});

describe('keys enable of a key that stays unusable', () => {
  it.each([
    ['has expired', { expired_time: NOW - 60 }, 'until its expiry is changed: it has expired'],
    ['is exhausted', { remain_quota: 0 }, 'until its budget is raised: nothing is left of it'],
  ])('reports that it %s, whether it is enabled already or is enabled now', async (_title, setting, text) => {
    await edit(3, setting);
    for (const isDisabled of [false, true]) {
      if (isDisabled) await edit(3, { status: 2 }, true);
      const terminal = account.terminal(false);
      await terminal.run('keys', 'enable', 'app-1', '--yes');
      expect(terminal.out()).toContain(`stays unusable ${text}`);
    }
  });
});

describe('a reveal beyond the limit that it shares with logins and new tokens', () => {
  const REVEALS = { reveal: { requests: 1, seconds: 1200 } };

  it('reveals all keys in one request, and afterwards ends with the time to come back instead of waiting', async () => {
    const limited = await openAccount('keys: {}\n', { ...SEED, limits: REVEALS });
    try {
      const first = limited.terminal(false);
      expect([await first.run('keys', 'reveal', 'app-1', 'app-2'), first.out().match(/^sk-/gm)?.length]).toEqual([
        0, 2,
      ]);
      const second = limited.terminal(false);
      const began = second.io.clock();
      expect(await second.run('keys', 'reveal', 'app-1')).toBe(1);
      const err = second.err().replace(/\s+/g, ' ');
      expect(err).toMatch(/error\[gateway\.rate-limited\]: .* until \S+Z at the latest\. .* Try again in 20 minutes\./);
      expect(err).not.toContain('Waiting');
      expect(second.io.clock() - began).toBeLessThan(5);
    } finally {
      await limited.close();
    }
  });
});

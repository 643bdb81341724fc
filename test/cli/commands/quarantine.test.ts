import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keyId, quota, tryQuarantineName } from '../../../src/domain/index.ts';
import { openAccount, SEED } from '../account.ts';
import { NOW } from '../terminal.ts';

const DAY = 86_400;
const OWNED = 'ownership: { scope: "app-*", prune: { mode: delete, quarantine: 14d } }\n';
const ONE = `${OWNED}keys:\n  app-1: { budget: { usd: 1, initial: true } }\n`;
const BOTH = `${ONE}  app-2: { budget: { usd: 1, initial: true } }\n`;

let account: Awaited<ReturnType<typeof openAccount>>;
afterEach(() => account.close());

const declare = (text: string): Promise<void> =>
  writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\n${text}`);

async function ask(...words: string[]) {
  const terminal = account.terminal(false);
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: terminal.err() };
}

interface Stored {
  readonly id: number;
  readonly name: string;
  readonly status: number;
}

const keys = async (): Promise<readonly Stored[]> =>
  ((await (await fetch(`${account.url}/_reference/state`)).json()) as { keys: readonly Stored[] }).keys;
const shown = async (): Promise<readonly string[]> =>
  (await keys()).map(({ name, status }) => `${name} ${status}`).sort();

async function changes(
  ...words: string[]
): Promise<readonly { readonly verb: string; readonly quarantine?: object }[]> {
  const { data } = JSON.parse((await ask(...words, '--format', 'json')).out);
  return data.changes.filter(({ verb }: { verb: string }) => verb !== 'keep');
}

/** The account with app-2 in quarantine for that many days. */
async function waiting(days: number): Promise<void> {
  const [first, second] = SEED.keys ?? [];
  const key = { id: keyId(4), unlimited: false, remain: quota(500_000) };
  const name = tryQuarantineName('app-2', key, { at: NOW - days * DAY, isByQuarantine: true });
  if (!first || !second || !name) throw new Error('there is no such key');
  account = await openAccount(ONE, { ...SEED, keys: [first, { ...second, name, status: 2 }] });
}

describe('a key that is removed from the manifest, with a quarantine', () => {
  it('is disabled and marked, causes no drift while it waits, and works again once it is declared again', async () => {
    account = await openAccount(ONE);
    const planned = await ask('plan');
    expect(planned.out).toContain(
      '! disable  app-2 (id 4)\n    because            not declared\n    quarantine         until ',
    );
    expect(await changes('plan')).toMatchObject([
      { verb: 'disable', reason: 'quarantined', quarantine: { until: expect.any(Number) } },
    ]);
    expect((await ask('drift')).code).toBe(2);
    expect((await ask('apply', '--yes')).code).toBe(0);
    expect(await shown()).toEqual(['app-1 1', expect.stringMatching(/^app-2~q2033\d{4}-.{7} 2$/)]);
    expect((await ask('drift')).code).toBe(0);
    const kept = await ask('plan');
    expect(kept.out).toMatch(
      /= retain {3}app-2~q\S+ \(id 4\)\n {4}because {12}not declared\n {4}quarantine {9}since \S+, until \S+/,
    );
    await declare(BOTH);
    expect((await ask('plan')).out).toMatch(/! enable {3}app-2 \(id 4\).*\n {4}because {12}it is declared again/);
    const { code, out } = await ask('apply', '--yes');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/done {4}enable {3}app-2 \(id 4\)[\s\S]*done {4}rename {3}app-2~q/),
    ]);
    expect(await shown()).toEqual(['app-1 1', 'app-2 1']);
    expect((await keys()).map(({ id }) => id).sort()).toEqual([3, 4]);
    expect((await ask('drift')).code).toBe(0);
  });

  it.each(['text', 'markdown', 'html', 'json'])('shows its quarantine in %s', async (format) => {
    await waiting(20);
    const { code, out } = await ask('plan', '--format', format);
    expect(code).toBe(0);
    expect(out).toMatch(format === 'json' ? /"quarantine":\{"since":\d+,"until":\d+\}/ : /quarantine/);
  });

  it('is deleted after its time, and not before', async () => {
    await waiting(13);
    expect(await changes('plan')).toMatchObject([{ verb: 'retain', reason: 'in-quarantine' }]);
    await account.close();
    await waiting(20);
    expect((await ask('drift')).code).toBe(0);
    expect((await ask('plan')).out).toMatch(
      /- delete {3}app-2~q\S+ \(id 4\)\n {4}because {12}not declared\n {4}quarantine {9}since 2033-/,
    );
    expect((await ask('apply', '--yes')).code).toBe(0);
    expect(await shown()).toEqual(['app-1 1']);
  });

  it('is not deleted by a saved plan once it is declared again', async () => {
    await waiting(20);
    expect((await ask('plan', '--out', 'plan.json')).code).toBe(0);
    await declare(BOTH);
    const { code } = await ask('apply', 'plan.json', '--yes');
    expect(code).toBe(4);
    expect((await keys()).length).toBe(2);
  });

  it('begins with a saved plan, which does not state the name', async () => {
    account = await openAccount(ONE);
    await ask('plan', '--out', 'plan.json');
    expect((await ask('apply', 'plan.json', '--yes')).code).toBe(0);
    expect(await shown()).toEqual(['app-1 1', expect.stringMatching(/^app-2~q2033/)]);
  });

  it('is left out of an import', async () => {
    await waiting(3);
    const { out } = await ask('import');
    expect(out).toContain('it is in quarantine');
    expect(out).not.toContain('\n  app-2');
  });

  it('is deleted by destroy', async () => {
    await waiting(3);
    await declare(ONE);
    expect((await ask('destroy', '--yes')).code).toBe(0);
    expect(await shown()).toEqual([]);
  });
});

describe('a key in quarantine at a gateway that reports its use', () => {
  it('waits once more when somebody enabled it, used it and disabled it', async () => {
    const models = { 'alpha-chat-1': { ratio: 1.25, completionRatio: 4 } };
    account = await openAccount(ONE, { ...SEED, models }, 'deployed');
    const { out: secret } = await ask('keys', 'reveal', 'app-2', '--yes');
    await ask('apply', '--yes');
    await ask('keys', 'enable', '4', '--yes');
    expect(await changes('plan')).toMatchObject([{ verb: 'retain', reason: 'enabled-in-quarantine' }]);
    const answer = await fetch(`${account.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'alpha-chat-1', messages: [{ role: 'user', content: 'ping' }] }),
    });
    expect(answer.status).toBe(200);
    await ask('keys', 'disable', '4', '--yes');
    const { out } = await ask('plan');
    expect(out).toContain('it was used after its quarantine began on');
    expect(await changes('plan')).toMatchObject([{ verb: 'disable', reason: 'quarantined' }]);
    await ask('apply', '--yes');
    expect(await shown()).toEqual(['app-1 1', expect.stringMatching(/^app-2~d2033\d{4}-.{7} 2$/)]);
  });
});

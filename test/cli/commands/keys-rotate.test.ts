import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount, SEED } from '../account.ts';

const MANIFEST = `keys:
  app-1: { budget: { usd: 1 } }
  app-2: { budget: { usd: 1 } }
`;

let account: Awaited<ReturnType<typeof openAccount>>;
beforeEach(async () => {
  account = await openAccount(MANIFEST, SEED, 'deployed');
});
afterEach(() => account.close());

async function run(...words: string[]) {
  const terminal = account.terminal(false);
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: inOneLine(terminal.err()) };
}

const fail = (failure: object) =>
  fetch(`${account.url}/_reference/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(failure),
  });

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Runs a command whose standard input holds this text. */
async function pipe(input: string, ...words: string[]) {
  const terminal = account.terminal(false);
  terminal.type(input);
  terminal.hangUp();
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: terminal.err() };
}

/** Name and status of each key. */
async function keys(): Promise<readonly string[]> {
  const { out } = await run('keys', 'list', '--format', 'json');
  const { data } = JSON.parse(out) as { data: { keys: { name: string; status: string }[] } };
  return data.keys.map(({ name, status }) => `${name} ${status}`).sort();
}

describe('keys rotate', () => {
  it('creates a successor, and keeps the old secret for its overlap', async () => {
    const { code, out } = await run('keys', 'rotate', 'app-1', '--overlap', '1h', '--reason', 'people left', '--yes');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('done    create   app-1 (generation app-1~20330518-0333+1h)'),
    ]);
    expect(await keys()).toEqual(['app-1 enabled', 'app-1~20330518-0333+1h enabled', 'app-2 enabled']);
    const plan = await run('plan');
    expect(plan.out).toContain('= retain   app-1 (first generation, id 3)');
    expect(inOneLine(plan.out)).toContain('stays: its overlap lasts until 2033-05-18T04:33:20Z');
  });

  it('means the current generation by the declared name', async () => {
    const before = await run('keys', 'reveal', 'app-1');
    await run('keys', 'rotate', 'app-1', '--yes');
    const after = await run('keys', 'reveal', 'app-1');
    expect(after.out).not.toBe(before.out);
    expect((await run('keys', 'get', 'app-1')).out).toContain('app-1~20330518-0333');
    expect((await run('keys', 'reveal', '3')).out).toBe(before.out);
    expect((await run('keys', 'disable', 'app-1', '--yes')).code).toBe(0);
    expect(await keys()).toEqual(['app-1 enabled', 'app-1~20330518-0333 disabled', 'app-2 enabled']);
  });

  it('ends a leaked secret in the same run, and a later one deletes it', async () => {
    const { code, out } = await run('keys', 'rotate', 'app-1', '--leaked', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('done    disable  app-1 (first generation, id 3)')]);
    expect(await keys()).toEqual(['app-1 disabled', 'app-1~20330518-0333+0 enabled', 'app-2 enabled']);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await keys()).toEqual(['app-1~20330518-0333+0 enabled', 'app-2 enabled']);
    expect((await run('drift')).code).toBe(0);
  });

  it.each([
    [['rotate'], 'it ends after the overlap, once nobody uses it'],
    [['rotate', '--leaked'], 'it ends as soon as the successor works, used or not'],
    [['revoke', '--reason', 'leaked'], 'it stays disabled'],
  ])('shows when the old secret ends: %j', async (words, end) => {
    const { err } = await run('keys', ...words, 'app-1', '--yes');
    expect(err).toContain(`gets a successor, as asked for; ${end}`);
  });

  it('refuses to end the leaked secret of a protected key, and changes nothing', async () => {
    await account.write(`ownership: { protect: [app-1] }\n${MANIFEST}`);
    const { code, err } = await run('keys', 'rotate', 'app-1', '--leaked', '--yes');
    expect([code, err]).toEqual([
      4,
      expect.stringContaining('error[guard.protected]: Protected by the manifest: app-1.'),
    ]);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it.each([
    ['a sink does not get the new secret', ', deliver: [{ exec: [/bin/cat] }]', 0, 4],
    ['the gateway fails before the second step', '', 3, 1],
  ])('names the old secret that still works when %s', async (_, sink, skip, exit) => {
    await account.write(`keys:\n  app-1: { budget: { usd: 1 }${sink} }\n`);
    if (skip > 0) await fail({ kind: 'refuse', method: 'GET', path: '/api/token/', skip, times: 99 });
    const { code, err } = await run('keys', 'rotate', 'app-1', '--leaked', '--yes');
    expect([code, err]).toEqual([exit, expect.stringContaining('may still work: app-1 (id 3).')]);
    expect(err).toContain('`keyplane keys disable 3`');
  });

  it('reports the reason and both runs as JSON', async () => {
    const { out } = await run(
      'keys',
      'rotate',
      'app-1',
      '--leaked',
      '--reason',
      'in a log',
      '--yes',
      '--format',
      'json',
    );
    const { data } = JSON.parse(out) as { data: { reason: string; runs: { converged: boolean }[] } };
    expect([data.reason, data.runs.map(({ converged }) => converged)]).toEqual(['in a log', [true, true]]);
  });

  it.each([
    [['app-9'], 'the manifest does not declare it'],
    [['app-1', '--leaked', '--overlap', '1h'], '--leaked and --overlap exclude each other'],
    [['app-1', '--overlap', 'soon'], 'Invalid overlap "soon"'],
    [['app-1', '--overlap', '100001s'], 'Invalid overlap "100001s"'],
  ])('of %j is an error, and nothing is changed', async (words, message) => {
    const { code, err } = await run('keys', 'rotate', ...words, '--yes');
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it('ends a leaked secret when it is run again after the new one was not delivered', async () => {
    await writeFile(
      join(account.folder, 'keyplane.yaml'),
      'version: 1\nkeys:\n  app-1: { budget: { usd: 1 }, deliver: [{ file: .env, format: dotenv, as: KEY }] }\n',
    );
    await run('apply', '--yes');
    await fail({ kind: 'refuse', method: 'POST', path: '/api/token/batch/keys', skip: 1, times: 9 });
    const first = await run('keys', 'rotate', 'app-1', '--leaked', '--yes');
    expect([first.code, first.err]).toEqual([5, expect.stringContaining('may still work: app-1 (id 3)')]);
    await fetch(`${account.url}/_reference/faults`, { method: 'DELETE' });
    expect((await run('keys', 'rotate', 'app-1', '--leaked', '--yes')).code).toBe(0);
    expect((await keys()).filter((key) => key.endsWith('enabled'))).toEqual([
      'app-1~20330518-0334+0 enabled',
      'app-2 enabled',
    ]);
    expect(await readFile(join(account.folder, '.env'), 'utf8')).toBe(
      `KEY=${(await run('keys', 'reveal', 'app-1')).out}`,
    );
  });

  it('of a key that is declared disabled is an error', async () => {
    await writeFile(join(account.folder, 'keyplane.yaml'), 'version: 1\nkeys:\n  app-1: { enabled: false }\n');
    const { code, err } = await run('keys', 'rotate', 'app-1', '--yes');
    expect([code, err]).toEqual([3, expect.stringContaining('it is declared disabled')]);
  });

  it('leaves several generations, of which keys rename renames none by the name of their key', async () => {
    await run('keys', 'rotate', 'app-1', '--overlap', '3d', '--yes');
    const { code, err } = await run('keys', 'rename', 'app-1', 'app-3', '--yes');
    expect([code, err]).toEqual([3, expect.stringContaining('app-1 has 2 generations: ids 5, 3.')]);
    expect(await account.names()).toEqual(['app-1', 'app-1~20330518-0333+3d', 'app-2']);
    // By their names in a manifest, all of them are renamed.
    await account.write(MANIFEST.replace('app-1: {', 'app-3: { renamedFrom: app-1,'));
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await account.names()).toEqual(['app-2', 'app-3', 'app-3~20330518-0333+3d']);
  });

  it('needs a confirmation', async () => {
    expect((await run('keys', 'rotate', 'app-1')).code).toBe(4);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });
});

describe('keys revoke', () => {
  const revoke = (...words: string[]) => run('keys', 'revoke', ...words, '--reason', 'leaked', '--yes');
  const manifest = () => readFile(join(account.folder, 'keyplane.yaml'), 'utf8');

  it('disables all generations of a key first, then replaces it, and leaves its declaration as it is', async () => {
    await run('keys', 'rotate', 'app-1', '--overlap', '1h', '--yes');
    const { code, out } = await revoke('app-1');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('done    create   app-1 (generation app-1~20330518-0334+0)'),
    ]);
    expect(out.indexOf('app-1~20330518-0333+1h (id 5): disabled')).toBe(0);
    expect(await keys()).toEqual([
      'app-1 disabled',
      'app-1~20330518-0333+1h disabled',
      'app-1~20330518-0334+0 enabled',
      'app-2 enabled',
    ]);
    expect(await manifest()).toBe(`version: 1\n${MANIFEST}`);
    await run('apply', '--yes');
    expect(await keys()).toEqual(['app-1~20330518-0334+0 enabled', 'app-2 enabled']);
    expect((await run('drift')).code).toBe(0);
  });

  it('reports both steps and the reason as JSON', async () => {
    const { out } = await revoke('app-1', '--format', 'json');
    expect(JSON.parse(out).data).toMatchObject({
      reason: 'leaked',
      outcomes: [{ state: 'applied', change: { verb: 'disable', id: 3 } }],
      declarations: [],
      runs: [{ converged: true }],
    });
  });

  it('delivers the new secret, and leaves no sink with the one that was revoked', async () => {
    const sink = 'deliver: [{ file: .env, format: dotenv, as: KEY }]';
    await writeFile(
      join(account.folder, 'keyplane.yaml'),
      `version: 1\nkeys:\n  app-1: { budget: { usd: 1 }, ${sink} }\n`,
    );
    await run('apply', '--yes');
    expect((await revoke('app-1')).code).toBe(0);
    const { out } = await run('keys', 'reveal', 'app-1');
    expect(await readFile(join(account.folder, '.env'), 'utf8')).toBe(`KEY=${out}`);
    expect((await run('keys', 'get', 'app-1')).out).toContain('app-1~20330518-0333+0');
  });

  it('of an old generation by its ID disables it alone, and makes no successor', async () => {
    await run('keys', 'rotate', 'app-1', '--overlap', '1h', '--yes');
    for (const more of [[], ['--no-successor']]) expect((await revoke('3', ...more)).code).toBe(0);
    expect(await keys()).toEqual(['app-1 disabled', 'app-1~20330518-0333+1h enabled', 'app-2 enabled']);
    expect(await manifest()).toBe(`version: 1\n${MANIFEST}`);
  });

  it('of the current generation by its ID replaces it', async () => {
    await run('keys', 'rotate', 'app-1', '--overlap', '1h', '--yes');
    expect((await revoke('5')).code).toBe(0);
    expect(await keys()).toContain('app-1~20330518-0334+0 enabled');
  });

  it('with --no-successor declares a key that rotated disabled, and ends all its generations', async () => {
    await run('keys', 'rotate', 'app-1', '--overlap', '1h', '--yes');
    expect((await revoke('app-1', '--no-successor')).code).toBe(0);
    expect(await keys()).toEqual(['app-1 disabled', 'app-1~20330518-0333+1h disabled', 'app-2 enabled']);
    expect(await manifest()).toContain('app-1: { enabled: false, budget: { usd: 1 } }');
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await keys()).not.toContain('app-1~20330518-0333+1h enabled');
  });

  it('of a key that cannot get a successor declares it disabled, and replaces the others', async () => {
    await writeFile(
      join(account.folder, 'keyplane.yaml'),
      'version: 1\nkeys:\n  app-1: { id: 3, name: app-1, budget: { usd: 1 } }\n  app-2: { budget: { usd: 1 } }\n',
    );
    expect((await revoke('app-1', 'app-2')).code).toBe(0);
    expect(await keys()).toEqual(['app-1 disabled', 'app-2 disabled', 'app-2~20330518-0333+0 enabled']);
    expect(await manifest()).toContain('app-1: { enabled: false, id: 3,');
  });

  it('reports a key as disabled when it cannot be replaced, because a program may not run', async () => {
    const sink = 'deliver: [{ exec: [/bin/cat] }]';
    await writeFile(
      join(account.folder, 'keyplane.yaml'),
      `version: 1\nkeys:\n  app-1: { budget: { usd: 1 }, ${sink} }\n`,
    );
    const { code, out } = await revoke('app-1');
    expect([code, out]).toEqual([4, expect.stringMatching(/^app-1 \(id 3\): disabled\n/)]);
    expect(out).toContain('--allow-exec');
    expect(await keys()).toEqual(['app-1 disabled', 'app-2 enabled']);
    expect((await run('keys', 'rotate', 'app-1', '--leaked', '--yes', '--allow-exec')).code).toBe(0);
    expect(await keys()).toContain('app-1~20330518-0333+0 enabled');
  });
});

describe('keys identify', () => {
  const secretOf = async (name: string) => (await run('keys', 'reveal', name)).out.trim();

  it.each(['contract', 'deployed'] as const)('finds the key of a secret, with or without sk- (%s)', async (profile) => {
    await account.close();
    account = await openAccount(MANIFEST, SEED, profile);
    const secret = await secretOf('app-2');
    for (const text of [secret, secret.replace(/^sk-/, ''), `  ${secret}\n\n`]) {
      const { code, out, err } = await pipe(text, 'keys', 'identify');
      expect([code, out]).toEqual([0, expect.stringContaining('app-2 (id 4)\n  status      enabled')]);
      expect(out + err).not.toContain(secret.slice(3));
    }
  });

  it('names the declared key of a generation, its owner and its sinks', async () => {
    const text = `keys:
  app-1:
    budget: { usd: 1 }
    owner: team-search
    deliver: [{ file: .env, format: dotenv, as: KEY }]
`;
    await writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\n${text}`);
    await run('keys', 'rotate', 'app-1', '--yes');
    const { out } = await pipe(await secretOf('app-1'), 'keys', 'identify');
    expect(out).toContain('app-1 (id 5)\n  generation  app-1~20330518-0333\n');
    expect(out).toContain('owner       team-search\n  sinks       file .env KEY');
  });

  it('disables the key, and works with a manifest that has errors', async () => {
    const secret = await secretOf('app-1');
    await writeFile(join(account.folder, 'keyplane.yaml'), 'version: 1\nkeys: [\n');
    expect((await pipe(secret, 'keys', 'identify', '--disable')).code).toBe(4);
    const { code, out } = await pipe(secret, 'keys', 'identify', '--disable', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('status      disabled')]);
    const state = await (await fetch(`${account.url}/_reference/state`)).json();
    expect(state).toMatchObject({
      keys: expect.arrayContaining([expect.objectContaining({ name: 'app-1', status: 2 })]),
    });
  });

  it('answers clearly that no key has a secret', async () => {
    const secret = await secretOf('app-1');
    const other = `${secret.slice(0, 12)}${'x'.repeat(secret.length - 16)}${secret.slice(-4)}`;
    for (const text of ['sk-unknown', other]) {
      const { code, out } = await pipe(text, 'keys', 'identify', '--disable', '--yes');
      expect([code, out]).toEqual([2, expect.stringContaining('No key of this account has this secret.')]);
    }
    expect(await keys()).toEqual(['app-1 enabled', 'app-2 enabled']);
  });

  it.each(['', 'two words', 'x'.repeat(5000)])('rejects standard input without exactly one secret', async (text) => {
    expect((await pipe(text, 'keys', 'identify')).code).toBe(3);
  });

  it('reads no secret from a terminal, which would show it', async () => {
    const terminal = account.terminal(true);
    expect([await terminal.run('keys', 'identify'), terminal.err()]).toEqual([
      3,
      expect.stringContaining('a terminal'),
    ]);
  });
});

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../script-words.ts';
import { ACCESS_TOKEN, CANARY, openPlace, type Place } from './place.ts';

const parsed = (text: string) => JSON.parse(text);

describe('every command, against a live gateway', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace([
      { id: 3, name: 'prod-search', remain_quota: 1_000_000 },
      { id: 4, name: 'prod-search-old', remain_quota: 1_000_000 },
      { id: 5, name: 'twin', unlimited_quota: true },
      { id: 6, name: 'twin', unlimited_quota: true },
      { id: 7, name: '8', unlimited_quota: true },
      { id: 8, name: 'evil\u001b[2J\u202e', unlimited_quota: true },
    ]);
    await place.declare('  prod-search: { group: vip, budget: { usd: 2 } }');
  });
  afterAll(() => place.close());

  it('prints its version and its help without loading commands', async () => {
    expect(await place.run(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await place.run(['--help'])).stdout).toContain('Usage: keyplane');
    expect((await place.run(['keys', 'list', '--help'])).stdout).toContain('keyplane keys list --key "prod-*"');
  });

  it('validates without a gateway', async () => {
    const ended = await place.run(['validate'], { bare: true });
    expect(ended).toEqual({ code: 0, stdout: 'keyplane.yaml: valid, 1 key\n', stderr: '' });
  });

  it('shows more errors than a call may have arguments', async () => {
    const count = 40_000;
    await place.write(
      'many.yaml',
      `version: 1\nkeys:\n${Array.from({ length: count }, (_, i) => `  k${i}: 1\n`).join('')}`,
    );
    // A call may have as many arguments as its stack holds: a stack of a fifth needs a fifth of the errors.
    const words = ['--stack-size=200', PROGRAM, 'validate', '-f', 'many.yaml', '--format', 'json'];
    const tooMany = spawnSync(process.execPath, ['--stack-size=200', '-e', `Math.max(...Array(${count}).fill(1))`]);
    expect(tooMany.stderr.toString()).toContain('Maximum call stack size exceeded');
    const { status, stdout } = spawnSync(process.execPath, words, {
      cwd: place.folder,
      env: { PATH: process.env.PATH, HOME: place.folder },
      maxBuffer: 1 << 28,
    });
    expect(status).toBe(3);
    expect(parsed(stdout.toString()).diagnostics).toHaveLength(10_001);
  });

  it('plans, and keeps standard output for the result', async () => {
    const { code, stdout, stderr } = await place.run(['plan']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('~ update   prod-search (id 3)');
    expect((await place.run(['plan', '--detailed-exitcode'])).code).toBe(2);
    const json = parsed((await place.run(['plan', '--format', 'json'])).stdout);
    expect(json).toMatchObject({ kind: 'plan', version: 1, diagnostics: [], data: { summary: { pending: 1 } } });
  });

  it('applies, finds no drift, then finds what was changed by hand', async () => {
    const applied = await place.run(['apply', '--yes']);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: 1 applied.') });
    expect((await place.run(['drift'])).code).toBe(0);
    await place.control('PATCH', '/keys/3', { group: 'default', status: 2 });
    const drift = await place.run(['drift']);
    expect(drift).toMatchObject({ code: 2, stdout: expect.stringContaining('! DISABLED prod-search (id 3)') });
    expect(drift.stdout).toContain('declared vip, live default');
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    expect((await place.run(['drift'])).stdout).toContain('Drift: 1 is disabled.');
    expect((await place.run(['apply', '--yes', '--allow-enable', 'prod-search'])).code).toBe(0);
    expect((await place.run(['drift'])).stdout).toContain('Drift: none');
  });

  it('imports a manifest that plans to no changes, with keys of one name by their IDs', async () => {
    const imported = await place.run(['import', '--key', 'prod-*', '--out', 'imported.yaml']);
    expect(imported).toEqual({ code: 0, stdout: '', stderr: 'Imported 2 keys.\nWrote imported.yaml.\n' });
    const plan = parsed((await place.run(['plan', '-f', 'imported.yaml', '--format', 'json'])).stdout);
    expect(plan.data.summary).toMatchObject({ pending: 0, verbs: { keep: 2 } });
    expect((await place.run(['import'])).stdout).toMatch(/ {4}id: \d+\n {4}name: twin\n/);
  });

  it('lists and shows keys without their secrets, and without what would harm a terminal', async () => {
    const { stdout } = await place.run(['keys', 'list']);
    expect(stdout).toContain('evil\\u{1b}[2J\\u{202e}');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('6 keys');
    const one = parsed((await place.run(['keys', 'get', 'prod-search', '--format', 'json'])).stdout);
    expect(one).toMatchObject({ kind: 'keys-get', data: { id: 3, name: 'prod-search', status: 'enabled' } });
    expect((await place.run(['keys', 'get', '8'])).stdout).toContain('(id 8)');
    expect((await place.run(['keys', 'get', 'name:8'])).stdout).toContain('(id 7)');
  });

  it('refuses a name that two keys have, with both ids', async () => {
    const { code, stderr } = await place.run(['keys', 'get', 'twin']);
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('ids 5, 6') });
    expect((await place.run(['keys', 'get', 'nobody'])).stderr).toContain('gateway.not-found');
  });

  it('reveals secrets as raw lines in the order given, and into a private file', async () => {
    const revealed = await place.run(['keys', 'reveal', '4', 'prod-search'], { reveals: true });
    expect(revealed.code).toBe(0);
    expect(revealed.stdout.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^sk-${CANARY}contract1`)),
      expect.stringMatching(new RegExp(`^sk-${CANARY}contract0`)),
      '',
    ]);
    expect(await place.run(['keys', 'reveal', '3', '--out', 'key.txt'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Wrote key.txt, readable only by its owner.\n',
    });
    expect(await place.read('key.txt')).toMatch(/^sk-/);
  });

  it('disables, enables and deletes by id, only when somebody agreed', async () => {
    expect(await place.run(['keys', 'disable', '4'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('guard.unconfirmed'),
    });
    expect((await place.run(['keys', 'disable', '4', '--yes'])).stdout).toBe('prod-search-old (id 4): disabled\n');
    expect((await place.run(['keys', 'disable', '4', '--yes'])).stdout).toContain('is already disabled');
    expect((await place.run(['keys', 'enable', '4', '--yes'])).code).toBe(0);
    expect((await place.run(['keys', 'delete', '4', '5', '--yes'])).code).toBe(0);
    expect((await place.keys()).map(({ id }) => id)).toEqual([3, 6, 7, 8]);
  });

  it('shows account, groups and usage', async () => {
    expect((await place.run(['account', 'show'])).stdout).toContain('$1,000.00 (500,000,000 units)');
    expect((await place.run(['account', 'groups'])).stdout).toContain('vip');
    const { data } = parsed((await place.run(['usage', '--format', 'json'])).stdout);
    expect(data.wallet.balance).toEqual({ units: '500000000', usd: '1000.00' });
    expect(data.log.entries).toBe(0);
  });

  it('finds everything in order, and reports it', async () => {
    const { code, stdout } = await place.run(['doctor']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('No problems found.') });
  });

  it('writes a first manifest that is valid, and never over another', async () => {
    expect((await place.run(['init', '-f', 'new/k.yaml'])).code).toBe(1);
    expect((await place.run(['init', '-f', 'first.yaml', '--url', place.url, '--user-id', '42'])).code).toBe(0);
    expect((await place.run(['validate', '-f', 'first.yaml'])).code).toBe(0);
    expect((await place.run(['plan', '-f', 'first.yaml'])).code).toBe(0);
    expect(await place.run(['init', '-f', 'first.yaml'])).toMatchObject({ code: 3 });
    expect(parsed(await place.read('keyplane.schema.json'))).toEqual(parsed((await place.run(['schema'])).stdout));
  });

  it('destroys what the manifest owns and nothing else', async () => {
    expect((await place.run(['destroy'])).code).toBe(4);
    expect((await place.run(['destroy', '--yes'])).stdout).toContain('Apply: 1 applied.');
    expect((await place.keys()).map(({ id }) => id)).toEqual([6, 7, 8]);
  });
});

describe('the rotation of the access token', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place.close());

  const requests = async () =>
    Object.entries((await place.control<{ requests: Record<string, number> }>('GET', '/requests')).requests).filter(
      ([route]) => route.includes('/api/user/token'),
    );

  it('asks for a file and for agreement before it sends anything', async () => {
    expect((await place.run(['account', 'rotate-token', '--yes'])).code).toBe(3);
    expect((await place.run(['account', 'rotate-token', '--out', 't'])).code).toBe(4);
    expect((await place.run(['account', 'rotate-token', '--out', 'no/such/folder', '--yes'])).code).toBe(1);
    expect(await requests()).toEqual([]);
  });

  it('puts the new token into the file, sends one request, and prints nothing of it', async () => {
    const ended = await place.run(['account', 'rotate-token', '--out', 't', '--yes']);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    const token = (await place.read('t')).trim();
    expect(token).not.toBe(ACCESS_TOKEN);
    expect(ended.stderr).not.toContain(token);
    expect((await place.run(['account', 'show'])).code).toBe(7);
    const file = { KEYPLANE_ACCESS_TOKEN: '', KEYPLANE_ACCESS_TOKEN_FILE: 't' };
    expect((await place.run(['account', 'show'], { env: file })).code).toBe(0);
    expect((await requests()).map(([, count]) => count)).toEqual([1]);
  });
});

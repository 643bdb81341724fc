import { chmod, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const TEXT = 'keys:\n  # the CI\n  app-1: # ours\n    budget: { usd: 1 }\n  app-2: { budget: { usd: 1 } } # theirs\n';

let account: Awaited<ReturnType<typeof openAccount>>;
beforeEach(async () => {
  account = await openAccount(TEXT);
});
afterEach(() => account.close());

const path = (name = 'keyplane.yaml'): string => join(account.folder, name);
const manifest = (): Promise<string> => readFile(path(), 'utf8');

async function ask(...words: string[]) {
  const terminal = account.terminal(false);
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: terminal.err() };
}

async function statusOf(name: string): Promise<string> {
  const { out } = await ask('keys', 'get', name, '--format', 'json', '--url', account.url, '--user-id', '42');
  return (JSON.parse(out) as { data: { status: string } }).data.status;
}

describe('keys disable', () => {
  it.each(['app-1', '3'])('disables %s and names the line of the manifest to edit', async (key) => {
    const { code, out, err } = await ask('keys', 'disable', key, '--yes');
    expect([code, out]).toEqual([0, 'app-1 (id 3): disabled\n']);
    expect(err).toContain('keyplane.yaml:4 declares app-1 enabled. Write `enabled: false` there, or add --write.');
    expect(await manifest()).toBe(`version: 1\n${TEXT}`);
  });

  it('does not call a key disabled that the gateway still shows enabled', async () => {
    await fetch(`${account.url}/_reference/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        kind: 'answer',
        method: 'PUT',
        path: '/api/token/',
        body: { success: true, message: '' },
      }),
    });
    const { code, out } = await ask('keys', 'disable', 'app-1', '--yes');
    expect([code, out]).toEqual([5, expect.stringContaining('app-1 (id 3): NOT disabled: the gateway accepted')]);
    expect(await statusOf('app-1')).toBe('enabled');
  });

  it('with --write declares the keys disabled, and keeps every other byte', async () => {
    const { code, err } = await ask('keys', 'disable', 'app-1', 'app-2', '--yes', '--write');
    expect([code, err]).toEqual([0, expect.stringContaining('keyplane.yaml:4: wrote `enabled: false` for app-1.')]);
    expect(await manifest()).toBe(
      'version: 1\nkeys:\n  # the CI\n  app-1: # ours\n    enabled: false\n    budget: { usd: 1 }\n' +
        '  app-2: { enabled: false, budget: { usd: 1 } } # theirs\n',
    );
    expect((await ask('drift')).code).toBe(0);
  });

  it('edits the file behind a link, and keeps its mode', async () => {
    await writeFile(path('real.yaml'), await manifest());
    await chmod(path('real.yaml'), 0o640);
    await rm(path());
    await symlink('real.yaml', path());
    expect((await ask('keys', 'disable', 'app-1', '--yes', '--write')).code).toBe(0);
    expect(await readFile(path('real.yaml'), 'utf8')).toContain('enabled: false');
    expect((await stat(path('real.yaml'))).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['with errors', 'keys: { app-1: { enabeld: true } }\n'],
    ['that is not YAML', 'keys: [\n'],
  ])('works with a manifest %s', async (_, text) => {
    await writeFile(path(), `version: 1\n${text}`);
    const { code, out, err } = await ask('keys', 'disable', 'app-1', '--yes');
    expect([code, out]).toEqual([0, 'app-1 (id 3): disabled\n']);
    expect(err).toContain('It is ignored: its gateway and its protected keys are unknown.');
  });

  it('works without a manifest, and when another run has the lock', async () => {
    await rm(path());
    const { fileLock } = await import('../../../src/disk/index.ts');
    const { machineOf } = await import('../../../src/cli/session/io.ts');
    const { io } = account.terminal(false);
    const held = await fileLock(machineOf(io)).acquire({ url: account.url, userId: 42 }, { timeoutSeconds: 0 });
    expect((await ask('keys', 'disable', 'app-1', '--yes')).code).toBe(0);
    await held.release();
    expect(await statusOf('app-1')).toBe('disabled');
  });

  it('names the program that declares a key in Terraform JSON, and edits nothing', async () => {
    await rm(path());
    const json = JSON.stringify({
      resource: { keyplane_api_key: { a: { name: 'app-1', budget: { usd: 1, per: 'lifetime' } } } },
    });
    await writeFile(path('main.tf.json'), json);
    const { code, err } = await ask('keys', 'disable', 'app-1', '--yes', '--write', '-f', 'main.tf.json');
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('Set `enabled` to false there, or in the program that writes the file.'),
    ]);
    expect(await readFile(path('main.tf.json'), 'utf8')).toBe(json);
  });
});

describe('keys revoke --no-successor', () => {
  it('disables the key and declares that with the reason and the date', async () => {
    const { code, out } = await ask(
      'keys',
      'revoke',
      'app-1',
      '--no-successor',
      '--yes',
      '--reason',
      'leaked\nin CI',
      '--format',
      'json',
    );
    expect([code, JSON.parse(out).data]).toMatchObject([
      0,
      { outcomes: [{ state: 'applied' }], declarations: [{ name: 'app-1', state: 'written' }] },
    ]);
    expect(await manifest()).toContain(
      '  # the CI\n  # Revoked 2033-05-18: leaked\\u{a}in CI\n  app-1: # ours\n    enabled: false\n',
    );
    expect(await statusOf('app-1')).toBe('disabled');
    expect((await ask('apply', '--yes')).code).toBe(0);
    expect(await statusOf('app-1')).toBe('disabled');
  });

  it('never writes a credential into the manifest', async () => {
    const secret = `sk-${'a1B2'.repeat(12)}`;
    expect((await ask('keys', 'revoke', 'app-1', '--no-successor', '--yes', '--reason', `found ${secret}`)).code).toBe(
      0,
    );
    expect(await manifest()).not.toContain(secret);
  });

  it.each([[[]], [['--reason', ' ']]])('requires a reason: %j', async (more) => {
    expect((await ask('keys', 'revoke', 'app-1', '--no-successor', '--yes', ...more)).code).toBe(3);
    expect(await statusOf('app-1')).toBe('enabled');
  });

  it('reports the disabled key when the manifest cannot be edited', async () => {
    await writeFile(path(), 'version: 1\nkeys:\n  app-2: &a { budget: { usd: 1 } }\n  app-1: *a\n');
    const { code, out, err } = await ask('keys', 'revoke', 'app-1', '--no-successor', '--yes', '--reason', 'leaked');
    expect([code, out]).toEqual([5, expect.stringContaining('app-1 (id 3): disabled')]);
    expect(err).toContain('keyplane.yaml:4 cannot be edited safely.');
    expect(await statusOf('app-1')).toBe('disabled');
  });

  it('reports that the declaration is missing when the manifest has errors', async () => {
    await writeFile(path(), 'version: 1\nkeys:\n  app-1: { modles: [] }\n');
    const { code, out, err } = await ask('keys', 'revoke', 'app-1', '--no-successor', '--yes', '--reason', 'leaked');
    expect([code, out]).toEqual([5, 'app-1 (id 3): disabled\n']);
    expect(err).toContain('No manifest that was read declares app-1.');
    expect(err).not.toContain('Nothing was sent');
    expect(await statusOf('app-1')).toBe('disabled');
  });

  it('without a manifest disables the key and asks for the declaration', async () => {
    await rm(path());
    const { code, err } = await ask('keys', 'revoke', 'app-1', '--no-successor', '--yes', '--reason', 'leaked');
    expect([code, err]).toEqual([0, expect.stringContaining('No manifest that was read declares app-1.')]);
  });
});

import { readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

describe.each([
  ['import', ['--verbose']],
  ['convert', ['--to', 'hcl']],
  ['keys', ['reveal', 'app-1', '--verbose']],
])('%s --out', (command, words) => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  let kept: string;
  beforeEach(async () => {
    account = await openAccount('keys: { app-1: {} }\n');
    kept = join(account.folder, 'kept');
    await writeFile(kept, 'mine\n');
  });
  afterEach(() => account.close());

  async function ask(...more: string[]) {
    const terminal = account.terminal();
    const code = await terminal.run(command, ...words, ...more);
    return { code, err: terminal.err() };
  }

  it('leaves a file that is there as it is, and asks the gateway nothing', async () => {
    const { code, err } = await ask('--out', 'kept');
    expect(code).toBe(3);
    expect(err).toContain('error[usage.invalid]: kept already exists; it was not changed.\n');
    expect(err).toContain('--yes');
    expect(err).not.toContain('GET ');
    expect(await readFile(kept, 'utf8')).toBe('mine\n');
  });

  it('replaces it with --yes', async () => {
    expect((await ask('--out', 'kept', '--yes')).code).toBe(0);
    expect(await readFile(kept, 'utf8')).not.toContain('mine');
  });

  it('leaves a link to nothing as it is', async () => {
    await symlink('nothing', join(account.folder, 'dangling'));
    const { code, err } = await ask('--out', 'dangling');
    expect([code, err]).toEqual([3, expect.stringContaining('dangling already exists; it was not changed.')]);
    expect(await readlink(join(account.folder, 'dangling'))).toBe('nothing');
  });

  it.each([
    ['', '--out requires a file name.'],
    ['.', '--out . is a folder.'],
    ['new/', '--out new/ is a folder.'],
  ])('is wrong usage where it names no file: %j', async (file, message) => {
    const { code, err } = await ask('--out', file, '--yes');
    expect([code, err]).toEqual([3, expect.stringContaining(`error[usage.invalid]: ${message}`)]);
    expect(err).not.toContain('GET ');
  });

  it('writes a new file without a question', async () => {
    expect(await ask('--out', 'new')).toMatchObject({ code: 0 });
    expect((await stat(join(account.folder, 'new'))).size).toBeGreaterThan(0);
  });
});

describe('apply --out', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount('keys: { fresh: { budget: unlimited } }\n');
  });
  afterEach(() => account.close());

  async function ask(file: string) {
    const terminal = account.terminal();
    const code = await terminal.run('apply', '--yes', '--verbose', '--out', file);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  it('changes nothing when the folder of the file does not exist', async () => {
    const { code, err } = await ask('missing/report.txt');
    expect([code, err]).toEqual([1, expect.stringContaining('error[file.unwritable]')]);
    expect(err).not.toContain('POST ');
  });

  it.runIf(process.platform === 'linux')(
    'writes the report to standard output when the file takes nothing',
    async () => {
      const { code, out, err } = await ask('/dev/full');
      expect([code, out, err]).toEqual([
        1,
        expect.stringContaining('Apply: '),
        expect.stringContaining('file.unwritable'),
      ]);
    },
  );
});

describe('init', () => {
  it('reports what it wrote before the next steps', async () => {
    const account = await openAccount('keys: {}\n');
    const terminal = account.terminal();
    expect(await terminal.run('init', '-f', 'new.yaml')).toBe(0);
    expect(terminal.out()).toMatch(/^Wrote new\.yaml and keyplane\.schema\.json\n\nNext:\n/);
    expect(terminal.err()).toBe('');
    expect(terminal.out()).toContain('  2. export KEYPLANE_USER_ID=…');
    expect(terminal.out()).toContain('  5. keyplane import --out new.yaml --yes');
    await account.close();
  });

  it('writes no address that a manifest would refuse', async () => {
    const account = await openAccount('keys: {}\n');
    for (const more of [
      ['-f', 'new.yaml'],
      ['--template', 'terraform', '--dir', 'project'],
    ]) {
      const terminal = account.terminal();
      const url = 'http://gateway.example.com/?access_token=hunter2';
      expect(await terminal.run('init', '--url', url, ...more)).toBe(3);
      expect(terminal.err()).toContain('contains a query or a fragment');
      expect(terminal.out() + terminal.err()).not.toContain('hunter2');
    }
    expect(await readdir(account.folder)).toEqual(['keyplane.yaml']);
    await account.close();
  });
});

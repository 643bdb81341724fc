import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TREE } from '../../../src/cli/program/tree.ts';
import { openAccount } from '../account.ts';
import { openTerminal } from '../terminal.ts';

const isLinux = process.platform === 'linux';

describe('every output of every command', () => {
  const OUTPUTS = TREE.commands.flatMap(({ path, arguments: wanted = [], options }) => {
    const words = wanted.flatMap(({ optional, choices = ['x'] }) => (optional ? [] : [choices[0] ?? '']));
    return options.flatMap(({ flag, output }) =>
      output === undefined ? [] : [{ command: [...path, ...words].join(' '), flag, output }],
    );
  });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-outputs-'));
    await writeFile(join(folder, 'keyplane.yaml'), 'version: 1\nkeys: {}\n');
    await writeFile(join(folder, 'plain'), 'mine\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const WRONG = {
    file: [
      ['missing/out.json', 1, 'file.unwritable'],
      ['plain/out.json', 1, 'file.unwritable'],
      // Root may write to this folder by its mode.
      ...(isLinux ? ([['/proc/out.json', 1, 'file.unwritable']] as const) : []),
      ['.', 3, 'usage.invalid'],
      ['', 3, 'usage.invalid'],
    ],
    folder: [
      ['missing/folder', 1, 'file.unwritable'],
      ['plain', 1, 'file.unwritable'],
      ...(isLinux ? ([['/proc', 1, 'file.unwritable']] as const) : []),
      ['', 3, 'usage.invalid'],
    ],
  } as const;

  it.each(OUTPUTS)('is opened before anything else: $command --$flag', async ({ command, flag, output }) => {
    const before = await readdir(folder);
    for (const [value, exit, code] of WRONG[output]) {
      // Whoever asks this gateway gets another fault.
      const env = { KEYPLANE_URL: 'http://127.0.0.1:9', KEYPLANE_USER_ID: '42', KEYPLANE_ACCESS_TOKEN: 'token' };
      const terminal = openTerminal({ env: { HOME: folder, ...env }, cwd: folder });
      expect([value, await terminal.run(...command.split(' '), `--${flag}`, value)]).toEqual([value, exit]);
      expect(terminal.err()).toContain(`error[${code}]`);
    }
    expect(await readdir(folder)).toEqual(before);
  });

  it.runIf(isLinux).each(OUTPUTS)(
    'follows no link out of its folder: $command --$flag',
    async ({ command, flag, output }) => {
      const [outside, work] = [join(folder, 'outside'), join(folder, 'work')];
      await mkdir(outside, { recursive: true });
      await mkdir(work, { recursive: true });
      await writeFile(join(outside, 'profile'), 'mine\n');
      await writeFile(join(work, 'keyplane.yaml'), 'version: 1\nkeys: {}\n');
      const links = output === 'file' ? ['profile', 'below/profile'] : ['below'];
      await rm(join(work, 'profile'), { force: true });
      await rm(join(work, 'below'), { force: true });
      await symlink(join(outside, 'profile'), join(work, 'profile'));
      await symlink(outside, join(work, 'below'));
      for (const value of links) {
        const env = { KEYPLANE_URL: 'http://127.0.0.1:9', KEYPLANE_USER_ID: '42', KEYPLANE_ACCESS_TOKEN: 'token' };
        const terminal = openTerminal({ env: { HOME: work, ...env }, cwd: work });
        expect([value, await terminal.run(...command.split(' '), `--${flag}`, value)]).toEqual([value, 1]);
        expect(terminal.err().replace(/\s+/g, ' ')).toContain(
          'a link on its path leads out of the folder that holds the link',
        );
      }
      expect([await readdir(outside), await readFile(join(outside, 'profile'), 'utf8')]).toEqual([
        ['profile'],
        'mine\n',
      ]);
      await rm(outside, { recursive: true });
      await rm(work, { recursive: true });
    },
  );

  it('are those of the commands that write', () => {
    const flags = (command: string) => OUTPUTS.flatMap((each) => (each.command === command ? [each.flag] : []));
    expect([flags('plan'), flags('apply'), flags('check')]).toEqual([
      ['usage-cache', 'out', 'report'],
      ['usage-cache', 'out'],
      ['ledger', 'report', 'history', 'out'],
    ]);
  });
});

const MANIFEST = `keys:
  fresh: { budget: unlimited }
  app-1: { checks: [poster] }
checks:
  poster: { module: image, model: alpha-image-2 }
`;

describe('an output that takes nothing in the end', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(MANIFEST);
  });
  afterEach(() => account.close());

  async function ask(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  it.runIf(isLinux).each([
    ['apply --yes', 'Apply: 1 applied', 1],
    ['apply --yes --format json', '"state":"applied"', 1],
    ['destroy --yes --max-deletes 9', 'Apply: 1 applied', 1],
    ['keys disable app-1 --yes', 'app-1 (id 3): disabled', 1],
    ['keys delete app-1 --yes', 'app-1 (id 3): deleted', 1],
    ['check', 'poster', 1],
    ['check poster --max-cost 0', 'poster', 8],
    ['check --format junit', '<testsuites', 1],
    ['plan', 'Plan: 1 to create', 1],
    ['drift', 'Drift: 1 missing', 1],
    ['keys list', 'app-1', 1],
  ])('leaves the result of `%s` on standard output, and the exit code shows it', async (line, shown, exit) => {
    const { code, out, err } = await ask(...line.split(' '), '--out', '/dev/full');
    expect([code, out]).toEqual([exit, expect.stringContaining(shown)]);
    expect(err).toContain('/dev/full cannot be written: the disk is full');
  });

  it.runIf(isLinux).each([
    ['plan --report', 'Plan: 1 to create', 1],
    ['drift --report', 'Drift: 1 missing', 1],
    ['check --report', 'poster', 1],
  ])('leaves the others as they are: %s', async (line, shown, exit) => {
    await symlink('/dev/full', join(account.folder, 'full.json'));
    const { code, out, err } = await ask(...line.split(' '), 'full.json', '--report', 'fine.md');
    expect([code, out]).toEqual([exit, expect.stringContaining(shown)]);
    expect(err).toContain('the disk is full');
    expect(await readdir(account.folder)).toContain('fine.md');
  });

  it.runIf(isLinux)('does not hide that a plan is refused', async () => {
    await writeFile(join(account.folder, 'keyplane.yaml'), 'version: 1\nkeys: { fresh: {} }\n');
    await symlink('/dev/full', join(account.folder, 'full.json'));
    for (const flag of ['--report', '--out']) {
      const { code, out, err } = await ask('plan', flag, 'full.json');
      expect([code, out, err]).toEqual([
        4,
        expect.stringContaining('guard.no-budget'),
        expect.stringContaining('the disk is full'),
      ]);
    }
  });

  it('keeps the outcomes when its folder vanishes during the run', async () => {
    await mkdir(join(account.folder, 'reports'));
    const terminal = account.terminal(true);
    const ended = terminal.run('apply', '--out', 'reports/a.txt');
    await terminal.shows('Type yes');
    await rename(join(account.folder, 'reports'), join(account.folder, 'elsewhere'));
    terminal.type('yes');
    expect([await ended, terminal.out()]).toEqual([1, expect.stringContaining('Apply: 1 applied')]);
    expect(terminal.err()).toContain('file.unwritable');
    expect(await account.names()).toContain('fresh');
  });
});

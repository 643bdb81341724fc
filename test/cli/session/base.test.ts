import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tryCommitOf } from '../../../src/cli/session/base/git.ts';
import { readBase } from '../../../src/cli/session/base/read-base.ts';
import type { DesiredState } from '../../../src/domain/index.ts';
import { NOW, openTerminal } from '../terminal.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'keyplane-base-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...words], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Commits these files as the only content of the repository, which they then have in the working folder too. */
async function commit(files: Readonly<Record<string, string>>): Promise<void> {
  git('init', '--quiet', '--initial-branch=main');
  await write(files);
  git('add', '--all');
  git('commit', '--quiet', '--message=as it was');
}

const manifest = (...names: readonly string[]): string =>
  ['version: 1', 'keys:', ...names.map((name) => `  ${name}: { enabled: false, budget: { usd: 5 } }`), ''].join('\n');

interface Asked {
  readonly base: string;
  readonly files?: readonly string[];
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function base({ base: named, files = [], folder = '.', env = {} }: Asked) {
  const { io } = openTerminal({ cwd: join(root, folder), env: { PATH: process.env.PATH, ...env } });
  const shown: string[] = [];
  const given = new Map([
    ['base', [named]],
    ['file', files],
  ]);
  const read = await readBase({
    io,
    given,
    now: () => NOW,
    print: (line) => void shown.push(line),
    remark: ({ diagnostics }) =>
      void shown.push(...diagnostics.map(({ code, place }) => `${code} at ${place?.file}:${place?.line}`)),
  }).catch((thrown: unknown) => ({ thrown, shown }));
  return { read, shown };
}

const names = (read: unknown): readonly string[] => (read as DesiredState).keys.map(({ name }) => name);

async function refused(asked: Asked): Promise<string> {
  const { read } = await base(asked);
  const { thrown } = read as { thrown: { code: string; message: string } };
  return `${thrown.code} ${thrown.message}`;
}

/** The files of a repository without a work tree, as a commit can hold them: its settings name programs. */
const planted = (program: string): Readonly<Record<string, string>> => ({
  'keys/HEAD': 'ref: refs/heads/main\n',
  'keys/objects/placeholder': '',
  'keys/refs/heads/main': `${'1'.repeat(40)}\n`,
  'keys/config': [
    '[core]',
    'repositoryformatversion = 1',
    'bare = false',
    'worktree = ..',
    `fsmonitor = ${program}`,
    `sshCommand = ${program}`,
    '[extensions]',
    'partialClone = origin',
    '[remote "origin"]',
    'url = ssh://example.com/x',
    'promisor = true',
    '',
  ].join('\n'),
});

describe('a working folder whose files look like a repository', () => {
  it('runs no program that they name, and holds no base', async () => {
    const [program, trace] = [join(root, 'program'), join(root, 'ran')];
    await commit({
      'keys/keyplane.yaml': manifest('app-1'),
      ...planted(program),
      program: `#!/bin/sh\n: > ${trace}\n`,
    });
    await chmod(program, 0o755);
    expect(await refused({ base: 'main', folder: 'keys' })).toContain(
      'has the files of a repository, and the working folder is in it',
    );
    const { io } = openTerminal({ cwd: join(root, 'keys'), env: { PATH: process.env.PATH } });
    expect(await tryCommitOf(['keyplane.yaml'], io)).toBeUndefined();
    expect(await readdir(root)).not.toContain('ran');
  });
});

describe('the base of a plan', () => {
  it('is absent without --base', async () => {
    const { io } = openTerminal({ cwd: root });
    const nothing = { io, given: new Map(), now: () => NOW, print: () => {}, remark: () => {} };
    expect(await readBase(nothing)).toBeUndefined();
  });

  it('is a file that exists, without a repository', async () => {
    await write({ 'before.yaml': manifest('app-1') });
    const { read } = await base({ base: 'before.yaml' });
    expect(read).toMatchObject({ keys: [{ name: 'app-1', enabled: false, budget: { kind: 'lifetime' } }] });
  });

  it('is the default manifest at a ref, whatever the working folder has now', async () => {
    await commit({ 'keyplane.yaml': manifest('app-1') });
    await write({ 'keyplane.yaml': manifest('app-2') });
    expect(names((await base({ base: 'main' })).read)).toEqual(['app-1']);
    expect(names((await base({ base: 'HEAD' })).read)).toEqual(['app-1']);
    expect(names((await base({ base: git('rev-parse', 'HEAD').trim() })).read)).toEqual(['app-1']);
  });

  it('reads each -f path at the ref: files, folders, and paths relative to a subfolder', async () => {
    await commit({
      'a.yaml': manifest('a'),
      'teams/b.yaml': manifest('b'),
      'teams/c.yml': manifest('c'),
      'teams/README.md': 'not a manifest',
      'other/d.yaml': manifest('d'),
    });
    await rm(join(root, 'a.yaml'));
    await rm(join(root, 'teams'), { recursive: true });
    expect(names((await base({ base: 'main', files: ['a.yaml', 'teams'] })).read)).toEqual(['a', 'b', 'c']);
    const within = { base: 'main', files: ['../a.yaml', 'd.yaml'], folder: 'other' };
    expect(names((await base(within)).read)).toEqual(['a', 'd']);
    const absolute = { base: 'main', files: [join(root, 'other')] };
    expect(names((await base(absolute)).read)).toEqual(['d']);
  });

  it('reads a folder of Terraform JSON and the output of a CDK at a ref', async () => {
    const stack = (name: string) =>
      JSON.stringify({ resource: { keyplane_api_key: { [name]: { name, budget: { usd: 5, per: 'lifetime' } } } } });
    await commit({
      'module/main.tf.json': stack('m'),
      'cdktf.out/manifest.json': JSON.stringify({
        version: '1',
        stacks: { prod: { name: 'prod', synthesizedStackPath: 'stacks/prod/cdk.tf.json', annotations: [] } },
      }),
      'cdktf.out/stacks/prod/cdk.tf.json': stack('c'),
    });
    expect(names((await base({ base: 'main', files: ['module'] })).read)).toEqual(['m']);
    expect(names((await base({ base: 'main', files: ['module/main.tf.json'] })).read)).toEqual(['m']);
    expect(names((await base({ base: 'main', files: ['cdktf.out'] })).read)).toEqual(['c']);
  });

  it('takes referenced files from the ref and variables from the environment', async () => {
    const text = 'version: 1\nkeys:\n  a: { group: "${file:group.txt}", enabled: false }\n';
    await commit({ 'team/keyplane.yaml': text, 'team/group.txt': 'vip\n' });
    await write({ 'team/group.txt': 'default\n' });
    const { read } = await base({ base: 'main', files: ['team/keyplane.yaml'] });
    expect(read).toMatchObject({ keys: [{ group: 'vip' }] });
  });

  it('counts a path that the ref does not have as empty, when it has another', async () => {
    await commit({ 'a.yaml': manifest('a') });
    await write({ 'new.yaml': manifest('n') });
    const { read, shown } = await base({ base: 'main', files: ['a.yaml', 'new.yaml'] });
    expect(names(read)).toEqual(['a']);
    expect(shown).toEqual(['new.yaml did not exist at main.']);
  });

  it('leaves no temporary file behind', async () => {
    await commit({ 'keyplane.yaml': manifest('a'), 'broken.yaml': 'keys: [' });
    const temporary = join(root, 'temporary');
    await mkdir(temporary);
    vi.stubEnv('TMPDIR', temporary);
    await base({ base: 'main' });
    await base({ base: 'main', files: ['broken.yaml'] });
    await base({ base: 'main', files: ['none.yaml'] });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('shows git no credential of Keyplane or its sinks', async () => {
    const seen = join(root, 'seen');
    await write({ 'bin/git': `#!/bin/sh\nenv > ${seen}\nexit 1\n` });
    await chmod(join(root, 'bin/git'), 0o755);
    const names = ['KEYPLANE_ACCESS_TOKEN', 'VAULT_TOKEN', 'VAULT_TOKEN_FILE', 'GH_TOKEN', 'AWS_SECRET_ACCESS_KEY'];
    const env = { ...Object.fromEntries(names.map((name) => [name, 'planted'])), OTHER: 'other' };
    await tryCommitOf(['a'], { cwd: root, env: { ...env, PATH: `${join(root, 'bin')}:${process.env.PATH}` } });
    const text = await readFile(seen, 'utf8');
    expect([text.includes('OTHER=other'), text.includes('planted')]).toEqual([true, false]);
  });

  it('runs no filter, hook or program that the repository names', async () => {
    await commit({ 'keyplane.yaml': manifest('a'), '.gitattributes': '*.yaml diff=evil filter=evil\n' });
    await write({ 'evil.sh': `#!/bin/sh\ntouch ${join(root, 'ran')}\ncat\n` });
    await chmod(join(root, 'evil.sh'), 0o755);
    const evil = join(root, 'evil.sh');
    for (const name of ['diff.evil.textconv', 'filter.evil.smudge', 'core.fsmonitor', 'core.pager']) {
      git('config', name, evil);
    }
    expect(names((await base({ base: 'main' })).read)).toEqual(['a']);
    expect(await readdir(root)).not.toContain('ran');
  });
});

describe('a base that cannot be read', () => {
  it('is refused when it looks like an option, is empty or breaks a line', async () => {
    await commit({ 'keyplane.yaml': manifest('a') });
    for (const named of ['-x', '--upload-pack=touch ran', '', 'main\nHEAD']) {
      expect(await refused({ base: named })).toMatch(/^usage\.invalid .*is neither a path nor a git ref\.$/);
    }
  });

  it('is refused when the name is both a path and a ref', async () => {
    await commit({ 'keyplane.yaml': manifest('a') });
    await write({ main: manifest('b') });
    expect(await refused({ base: 'main' })).toContain('--base main is both a path and a git ref.');
    expect(names((await base({ base: './main' })).read)).toEqual(['b']);
    expect(names((await base({ base: 'refs/heads/main' })).read)).toEqual(['a']);
  });

  it('names an unknown ref, a missing repository and a missing git', async () => {
    expect(await refused({ base: 'origin/main' })).toMatch(
      /neither a path nor a git ref of this repository: not a git/,
    );
    await commit({ 'keyplane.yaml': manifest('a') });
    expect(await refused({ base: 'origin/main' })).toMatch(/neither a path nor a git ref of this repository\.$/);
    expect(await refused({ base: 'main', env: { PATH: '/nonexistent' } })).toContain('git is not installed');
  });

  it('names paths that the ref does not have, links, and paths outside the repository', async () => {
    await commit({ 'real.yaml': manifest('a') });
    expect(await refused({ base: 'main' })).toBe('usage.invalid --base: keyplane.yaml does not exist at main.');
    await symlink('real.yaml', join(root, 'link.yaml'));
    git('add', '--all');
    git('commit', '--quiet', '--message=link');
    expect(await refused({ base: 'main', files: ['link.yaml'] })).toContain('link.yaml is not a regular file at main');
    expect(await refused({ base: 'main', files: ['../x.yaml'] })).toContain('is not inside the repository');
  });

  it('shows errors of the earlier manifest under the name of the base', async () => {
    await commit({ 'keyplane.yaml': 'version: 1\nkeys:\n  a: { enabled: maybe }\n' });
    const { read, shown } = await base({ base: 'main' });
    expect(read).toMatchObject({
      thrown: { code: 'manifest.invalid', message: 'The manifest at --base main has 1 error.' },
    });
    expect(shown).toEqual([expect.stringMatching(/ at main:keyplane\.yaml:3$/)]);
  });
});

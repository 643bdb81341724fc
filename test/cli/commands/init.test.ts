import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTerminal } from '../terminal.ts';

describe('init', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-init-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function init(...words: string[]) {
    const terminal = openTerminal({ cwd: folder });
    return { code: await terminal.run('init', ...words), out: terminal.out(), err: terminal.err() };
  }

  it('shows no command with a masked token to whoever has set the token already', async () => {
    const env = { KEYPLANE_ACCESS_TOKEN: 'rehearsal-only' };
    const terminal = openTerminal({ cwd: folder, env });
    expect(await terminal.run('init', '--template', 'yaml', '--dir', 'set')).toBe(0);
    expect(terminal.out()).not.toMatch(/‹secret›|export/);
    expect((await init('--template', 'yaml', '--dir', 'unset')).out).toContain('TOKEN=rehearsal-only\n');
    expect(await readFile(join(folder, 'set/README.md'), 'utf8')).toContain('TOKEN=rehearsal-only\n');
  });

  it('changes no existing file, and writes no other', async () => {
    await mkdir(join(folder, 'keys'));
    await writeFile(join(folder, 'keys/README.md'), 'mine\n');
    const { code, err } = await init('--template', 'cdk', '--dir', 'keys');
    expect([code, err]).toEqual([3, expect.stringContaining('README.md already exists; it was not changed.')]);
    expect(await readdir(join(folder, 'keys'))).toEqual(['README.md']);
    expect(await readFile(join(folder, 'keys/README.md'), 'utf8')).toBe('mine\n');
  });

  it.each([
    [['--dir', 'keys'], '--dir requires --template.'],
    [['--cdk', 'cdktn'], '--cdk requires --template cdk.'],
    [['--template', 'terraform', '--cdk', 'cdktn'], '--cdk requires --template cdk.'],
    [['--template', 'terraform', '--dir', 'keys', '--cdk', 'cdktn'], '--cdk requires --template cdk.'],
    [['--template', 'yaml', '-f', 'x.yaml'], '--template and -f cannot be combined.'],
  ])('rejects flags that do not fit together, and writes nothing: %j', async (words, message) => {
    const { code, err } = await init(...words);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(await readdir(folder)).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TREE } from '../../../src/cli/index.ts';
import { openTerminal } from '../terminal.ts';

async function script(shell: string): Promise<string> {
  const terminal = openTerminal();
  expect(await terminal.run('completion', shell)).toBe(0);
  return terminal.out();
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

describe('the completion', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s knows every command and every flag', async (shell) => {
    const text = await script(shell);
    for (const { path, options } of TREE.commands) {
      expect(text).toContain(path.at(-1));
      for (const { flag } of options) expect(text).toContain(shell === 'fish' ? `-l ${flag}` : `--${flag}`);
    }
  });

  it.each(['bash', 'zsh', 'fish'].filter(has))('for %s is a script that the shell can read', async (shell) => {
    const folder = await mkdtemp(join(tmpdir(), 'keyplane-completion-'));
    await writeFile(join(folder, 'script'), await script(shell));
    const { status, stderr } = spawnSync(shell, ['-n', join(folder, 'script')], { encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  const complete = async (...words: string[]): Promise<string[]> => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const call = `COMP_WORDS=(keyplane ${line}); COMP_CWORD=${words.length}; _keyplane; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', `${await script('bash')}\n${call}`], { encoding: 'utf8' });
    return stdout.split('\n').filter((word) => word !== '');
  };

  it('for bash offers what can follow', async (context) => {
    if (!has('bash')) context.skip('bash is not installed');
    expect(await complete('pl')).toEqual(['plan']);
    expect(await complete('keys', '')).toEqual([
      'list',
      'get',
      'reveal',
      'enable',
      'disable',
      'revoke',
      'rotate',
      'identify',
      'rename',
      'dedupe',
      'delete',
    ]);
    expect(await complete('keys', 'list', '--fo')).toEqual(['--format']);
    expect(await complete('plan', '-f', 'x', '--format', '')).toEqual(['text', 'json', 'markdown', 'html']);
    expect(await complete('completion', 'z')).toEqual(['zsh']);
    expect(await complete('gateway', '--profile', 'd')).toEqual(['deployed', 'deployed@1.0']);
    expect(await complete('-')).toEqual(['--help', '--version']);
    expect(await complete('keys', '--')).toEqual(['--help']);
  });

  it('for fish offers what can follow', async (context) => {
    if (!has('fish')) context.skip('fish is not installed');
    const text = await script('fish');
    const offered = (line: string): string[] => {
      const { stdout } = spawnSync('fish', ['-c', `${text}\ncomplete -C '${line}'`], { encoding: 'utf8' });
      return stdout.split('\n').flatMap((row) => row.split('\t')[0] || []);
    };
    expect(offered('keyplane pl')).toEqual(['plan']);
    expect(offered('keyplane keys ')).toEqual([
      'dedupe',
      'delete',
      'disable',
      'enable',
      'get',
      'identify',
      'list',
      'rename',
      'reveal',
      'revoke',
      'rotate',
    ]);
    expect(offered('keyplane plan --format ')).toEqual(['html', 'json', 'markdown', 'text']);
    expect(offered('keyplane --')).toEqual(['--help', '--version']);
    expect(offered('keyplane keys --')).toEqual(['--help']);
    expect(offered('keyplane plan --he')).toEqual(['--help']);
  });

  it('for zsh offers what can follow', async (context) => {
    if (!has('zsh')) context.skip('zsh is not installed');
    const text = await script('zsh');
    const offered = (...words: string[]): string[] => {
      const prefix = words.at(-1) ?? '';
      // The functions of the completion system print what they would offer.
      const probes =
        '_describe() { [[ $1 == -o ]] && shift; print -l -- ${(P)${2}} }; _arguments() { print -l -- "$@" }; compdef() { : }';
      const line = ['keyplane', ...words].map((word) => `'${word}'`).join(' ');
      const call = `words=(${line}); CURRENT=$#words; PREFIX='${prefix}'; _keyplane`;
      const { stdout } = spawnSync('zsh', ['-f', '-c', `${probes}\n${text}\n${call}`], { encoding: 'utf8' });
      return stdout.split('\n').flatMap((row) => row.split(/[:[]/)[0] || []);
    };
    expect(offered('')).toContain('plan');
    expect(offered('-')).toEqual(['--help', '--version']);
    expect(offered('keys', '-')).toEqual(['--help']);
    expect(offered('keys', '')).toContain('rotate');
    expect(offered('plan', '-')).toEqual(expect.arrayContaining(['--format', '--help']));
  });
});

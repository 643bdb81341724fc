import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VARIABLES } from '../../../src/cli/session/variables.ts';
import { openAccount } from '../account.ts';

describe('a variable that a manifest refers to', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount('keys: { app-1: { group: "${env:TEAM}" } }\n');
  });
  afterAll(() => account.close());

  const ask = async (words: readonly string[], env: Record<string, string> = {}) => {
    const terminal = account.terminal(false, { TEAM: 'blue-team', ...env });
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err() };
  };

  it.each([['validate'], ['plan'], ['apply', '--yes'], ['drift'], ['check'], ['destroy', '--yes'], ['keys', 'list']])(
    'is refused by %s %s unless it was allowed',
    async (...words) => {
      const { code, out, err } = await ask(words);
      expect([code, out + err]).toEqual([3, expect.not.stringContaining('blue-team')]);
      expect(out + err).toContain('error[manifest.variable-not-allowed]');
    },
  );

  it.each([
    ['--env', ['--env', 'TEAM'], {}],
    ['KEYPLANE_MANIFEST_ENV', [], { KEYPLANE_MANIFEST_ENV: ' OTHER, TEAM ' }],
  ])('is not secret once %s allows it: it is shown, planned and saved', async (_, flags, env) => {
    const file = join(account.folder, 'plan.json');
    const { code, out } = await ask(['plan', '--allow-unknown-groups', '--out', file, ...flags], env);
    expect([code, out]).toEqual([0, expect.stringContaining('blue-team')]);
    expect(await readFile(file, 'utf8')).toContain('blue-team');
  });

  it.each(['KEYPLANE_ACCESS_TOKEN', 'KEYPLANE_MODELS_KEY', 'A=B', ''])('cannot be %j', async (name) => {
    const env = { KEYPLANE_MODELS_KEY: `sk-${'a1'.repeat(24)}` };
    const { code, out, err } = await ask(['plan', '--env', name], env);
    expect([code, err]).toEqual([3, expect.stringContaining('error[usage.invalid]')]);
    expect(out + err).not.toContain('a1a1');
  });

  it.each(['text', 'json', 'markdown', 'html'])(
    'that holds the access token is refused in the format %s',
    async (format) => {
      const { code, out, err } = await ask(['plan', '--env', 'TEAM', '--format', format, '--out', 'leak.json'], {
        TEAM: 'x-token-for-tests-x',
      });
      expect([code, out + err]).toEqual([3, expect.not.stringContaining('token-for-tests')]);
      await expect(readFile(join(account.folder, 'leak.json'))).rejects.toThrow();
    },
  );

  it('of an earlier manifest must be allowed as well', async () => {
    await writeFile(join(account.folder, 'base.yaml'), 'version: 1\nkeys: { app-1: { group: "${env:SECRET}" } }\n');
    const { code, out, err } = await ask(['plan', '--env', 'TEAM', '--base', 'base.yaml'], { SECRET: 'hunter2' });
    expect([code, out + err]).toEqual([3, expect.not.stringContaining('hunter2')]);
  });
});

describe('a file that a manifest refers to', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount('keys: { app-1: { description: "${file:credential}", budget: { usd: 5 } } }\n');
    await writeFile(join(account.folder, 'credential'), 'Hk3vQw8Zr5Tn1Xc6\n', { mode: 0o600 });
  });
  afterAll(() => account.close());

  const FILES = Object.keys(VARIABLES).filter((name) => /_TOKEN_FILE$/.test(name));

  it.each(FILES)('cannot become a setting when %s names it, relative to the working folder or not', async (name) => {
    for (const path of ['credential', join(account.folder, 'credential')]) {
      const terminal = account.terminal(false, { [name]: path, KEYPLANE_ACCESS_TOKEN: 'token-for-tests' });
      const code = await terminal.run('plan', '--format', 'markdown');
      const shown = terminal.out() + terminal.err();
      expect([code, shown]).toEqual([3, expect.stringContaining('error[manifest.secret-in-manifest]')]);
      expect(shown).not.toContain('Hk3vQw8Z');
    }
  });
});

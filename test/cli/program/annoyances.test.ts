import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const LONG = 'a-key-with-a-name-of-almost-fifty-characters-47';

/** Each annoyance that people have met, once. */
describe('the command line', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount('keys: { app-1: { expires: 2001-01-01T00:00:00Z }, app-3: { budget: unlimited } }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { id: 3, name: 'app-1', remain_quota: 500_000, expired_time: 978_307_200 },
        { id: 4, name: LONG, group: 'a-group-with-a-very-long-name', remain_quota: 500_000 },
      ],
    });
  });
  afterAll(() => account.close());

  async function ask(words: readonly string[], onTerminal = false) {
    const terminal = account.terminal(onTerminal);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  it.each([['plan'], ['drift'], ['apply', '--yes'], ['import'], ['keys', 'list']])(
    'rejects a --key that matches no key: %s %s',
    async (...words) => {
      const { code, err } = await ask([...words, '--key', 'ap-*', '--key', 'app-1']);
      expect(code).toBe(3);
      expect(err.match(/--key .*/g)).toEqual(['--key "ap-*" matches no key.']);
    },
  );

  it('cuts names short on a terminal only', async () => {
    expect((await ask(['keys', 'list'])).out).toContain(LONG);
    expect((await ask(['keys', 'list'], true)).out).not.toContain(LONG);
  });

  it('shows warnings about single keys only to commands that use them', async () => {
    expect((await ask(['plan'])).err).toContain('manifest.past-expiry');
    expect((await ask(['keys', 'list'])).err).toBe('');
  });

  it('names the key that may have been meant', async () => {
    expect((await ask(['keys', 'get', 'ap-1'])).err).toContain('Did you mean app-1?');
    expect((await ask(['keys', 'get', 'something-else'])).err).toContain('Names must match exactly.');
  });

  it('prints the command that applies a saved plan, with its manifest', async () => {
    const words = ['plan', '-f', join(account.folder, 'keyplane.yaml'), '--out', 'plan.json'];
    expect((await ask(words)).err).toContain(`keyplane apply plan.json -f ${account.folder}/keyplane.yaml\n`);
  });

  it('begins a new line after a question that was not answered', async () => {
    const hung = account.terminal();
    const code = hung.run('apply');
    await hung.shows('Type yes to continue: ');
    hung.hangUp();
    expect(await code).toBe(4);
    expect(hung.err()).toContain('Type yes to continue: \nerror[guard.unconfirmed]');
    const interrupted = account.terminal();
    const ended = interrupted.run('apply');
    await interrupted.shows('Type yes to continue: ');
    interrupted.signal('SIGINT');
    expect(await ended).toBe(130);
    expect(interrupted.err()).toContain('Type yes to continue: \nerror[gateway.interrupted]');
  });

  it('fills 80 columns of a terminal that does not know its width', async () => {
    const terminal = account.terminal();
    Object.assign(terminal.io.stderr, { columns: 0 });
    expect(await terminal.run('plan', '--key', 'nothing')).toBe(3);
    expect(terminal.err()).toContain('Nothing was changed. `*` matches any run of characters, `?` matches one;\n');
  });

  it.each(['nowhere.pem', '.', 'keyplane.yaml'])('rejects a CA file that is none: %s', async (file) => {
    const { code, err } = await ask(['plan', '--ca-file', file]);
    expect([code, err]).toEqual([3, expect.stringContaining('error[usage.invalid]')]);
    expect(err).toContain('--ca-file');
    const { code: examined, out } = await ask(['doctor', '--ca-file', file]);
    expect([examined, out]).toEqual([3, expect.stringMatching(/manifest[\s\S]*address[\s\S]*connection[\s\S]*CA/)]);
  });

  it('reports in doctor what is wrong with a manifest, and how to see the position', async () => {
    await writeFile(join(account.folder, 'bad.yaml'), 'version: 1\nkeys: { a: { modles: [x] } }\n');
    const { out } = await ask(['doctor', '-f', 'bad.yaml', '--format', 'json']);
    expect((JSON.parse(out) as { data: { findings: unknown[] } }).data.findings[0]).toMatchObject({
      says: 'bad.yaml has 1 error: There is no field "modles" here.',
      hint: expect.stringContaining('keyplane validate -f bad.yaml'),
    });
  });

  it('takes `help` for what people mean by it', async () => {
    const { code, out } = await ask(['help', 'keys', 'list']);
    expect({ code, out }).toEqual({ code: 0, out: (await ask(['keys', 'list', '--help'])).out });
    expect((await ask(['help'])).out).toContain('Usage: keyplane');
  });

  it('points to the help of the command that was meant, and to -f for a manifest', async () => {
    expect((await ask(['keys', 'reveal'])).err).toContain('`keyplane keys reveal --help`');
    expect((await ask(['plan', 'keyplane.yaml'])).err).toContain('To use a manifest, pass -f FILE.');
    await mkdir(join(account.folder, 'cdktf.out'));
    for (const path of ['cdktf.out', 'keys.tf.json', 'keyplane.yaml']) {
      for (const command of ['apply', 'check']) {
        expect((await ask([command, path])).err.replace(/\s+/g, ' ')).toContain(`\`keyplane ${command} -f ${path}\``);
      }
    }
    expect((await ask(['plan', 'cdktf.out'])).err).toContain('To use a manifest, pass -f FILE.');
    expect((await ask(['plam'])).err).toContain('`keyplane --help`');
  });

  it('takes `help` after a family, and rejects a word that names no command', async () => {
    const { code, out } = await ask(['keys', 'help', 'list']);
    expect({ code, out }).toEqual({ code: 0, out: (await ask(['keys', 'list', '--help'])).out });
    for (const words of [
      ['help', 'plna'],
      ['help', 'keys', 'lst'],
      ['keys', 'help', 'lst'],
    ]) {
      const { code: rejected, err } = await ask(words);
      expect([rejected, err]).toEqual([
        3,
        expect.stringMatching(/Unknown command '(plna|lst)' \(Did you mean (plan|list)\?\)/),
      ]);
    }
    expect((await ask(['keys', 'lst'])).err).toContain('`keyplane keys --help` lists its commands.');
    expect((await ask(['version'])).out).toBe((await ask(['--version'])).out);
  });

  it('points to the command for flags that come before it', async () => {
    expect((await ask(['--format', 'text', 'plan'])).err).toContain('after the command: `keyplane plan --format`.');
    expect((await ask(['--verbose', 'usage', 'log'])).err).toContain('`keyplane usage log --verbose`.');
  });

  it.each(['constructor', 'toString', '__proto__'])('takes %s for no command', async (word) => {
    for (const words of [[word], ['help', word], [word, 'help']]) {
      const { code, err } = await ask(words);
      expect([code, err]).toEqual([3, expect.stringContaining(`Unknown command '${word}'`)]);
      expect(err).not.toContain(`keyplane ${word} --help`);
    }
  });

  it('advises a plan only where a plan shows what the command would do', async () => {
    expect((await ask(['keys', 'delete', 'one', '--dry-run'])).err).not.toContain('keyplane plan');
  });

  it.each([
    [['apply', '--dry-run'], '`keyplane plan` shows'],
    [['destroy', '--auto-approve'], 'pass --yes.'],
    [['apply', '-y'], 'pass --yes.'],
    [['plan', '--json'], 'pass --format json.'],
    [['plan', '-o', 'json'], 'pass --out FILE'],
    [['keys', 'identify', 'sk-of-somebody'], 'Pass the secret on standard input.'],
  ])('translates the flags of other programs: %s', async (words, hint) => {
    const { code, err } = await ask(words);
    expect([code, err.replace(/\s+/g, ' ')]).toEqual([3, expect.stringContaining(hint)]);
    expect(err).not.toContain('sk-of-somebody');
  });

  it('lists the flags of a command under headings, its own ones under “Options”', async () => {
    const { out } = await ask(['apply', '--help']);
    const headings = ['Manifest', 'Gateway', 'Selection', 'Usage log', 'Permissions', 'Locking', 'Options', 'Output'];
    expect(out.match(/^[A-Z][a-z]+( log)?(?=:$)/gm)).toEqual(['Arguments', ...headings, 'Examples']);
    expect(out.slice(out.indexOf('\nOptions:'), out.indexOf('\nOutput:'))).toContain('--max-cost');
  });

  it('reports a mistake of a check once', async () => {
    const unknown = await ask(['check', 'nope']);
    expect(unknown).toMatchObject({ code: 3, out: '', err: expect.stringContaining('There is no check') });
    expect(unknown.err).toContain('Use one of');
    expect((await ask(['check', 'chta'])).err).toContain('Did you mean chat?');
  });

  it('names the path of standard input where somebody writes `-`', async () => {
    expect((await ask(['validate', '-f', '-'])).out).toContain('pass /dev/stdin.');
  });

  it('advises no list where nothing was written', async () => {
    await writeFile(join(account.folder, 'blank.yaml'), 'version: 1\nkeys: { a: { models: "" } }\n');
    expect((await ask(['validate', '-f', 'blank.yaml'])).out).not.toContain('Write `[]`');
  });

  it('reports in words that a file does not exist', async () => {
    expect((await ask(['validate', '-f', 'nope.yaml'])).out).toContain('found: there is no such file or folder\n');
  });
});

import { describe, expect, it } from 'vitest';
import { parseCommandLine, TREE } from '../../../src/cli/index.ts';
import { openTerminal } from '../terminal.ts';

const parse = (...words: string[]) => parseCommandLine(TREE, words, 80);

describe('a command line', () => {
  it('is read into a command, its arguments and its flags', () => {
    const request = parse('keys', 'disable', '3', 'app-1', '--yes', '-f', 'a', '--file=b', '--no-color');
    expect(request).toMatchObject({ kind: 'command', arguments: ['3', 'app-1'] });
    if (request.kind !== 'command') return;
    expect(request.command.path).toEqual(['keys', 'disable']);
    expect([...request.given]).toEqual([
      ['file', ['a', 'b']],
      ['yes', true],
      ['no-color', true],
    ]);
  });

  it.each([
    [['plan', 'extra'], 'Too many arguments'],
    [['keys', 'get'], 'Missing required argument'],
    [['keys', 'get', 'a', 'b'], 'Too many arguments'],
    [['plan', '--keys', 'x'], 'Did you mean --key?'],
    [['plan', '--format', 'yaml'], 'Invalid value "yaml" for --format: expected one of text, json'],
    [['plan', '--out'], 'argument missing'],
    [['completion', 'cmd'], 'Allowed choices are bash, zsh, fish'],
    [['plan', '--yes'], 'Unknown option'],
    [['plan', '--access-token', 'x'], 'Unknown option'],
    [[], 'keyplane: missing command'],
    [['account'], 'keyplane account: missing command'],
  ])('%j is refused with what is wrong', (words, message) => {
    expect(() => parse(...words)).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
    expect(() => parse(...words)).toThrow(message);
  });

  it.each(['--max-deletes=-1', '--max-log-pages=0', '--concurrency=many'])(
    '%s is refused before anything is sent',
    async (flag) => {
      const terminal = openTerminal();
      expect(await terminal.run('plan', '--url', 'http://127.0.0.1:9', '--user-id', '1', flag)).toBe(3);
    },
  );

  it('that fails is reported on standard error only, except with --format json', async () => {
    const terminal = openTerminal();
    expect(await terminal.run('plam')).toBe(3);
    expect(terminal.out()).toBe('');
    expect(terminal.err()).toContain('error[usage.invalid]');
    expect(terminal.err()).not.toContain('Usage:');
    const machine = openTerminal();
    await machine.run('plam', '--format=json');
    expect(JSON.parse(machine.out())).toMatchObject({ kind: 'command-line', version: 1, data: null, diagnostics: [] });
  });
});

describe('a command line that cannot be parsed', () => {
  const TOKEN = 'Hk3vQw8Zr5Tn1Xc6';

  it.each([
    [`--token=${TOKEN}`, 'plan'],
    ['plan', `--token=${TOKEN}`],
    ['plan', '--format', TOKEN],
    ['keys', TOKEN],
    ['convert', '--to', TOKEN],
    ['completion', TOKEN],
    [TOKEN],
  ])('shows no credential of the environment, in text and in JSON: %s %s %s', async (...words) => {
    for (const name of ['KEYPLANE_ACCESS_TOKEN', 'VAULT_TOKEN', 'KEYPLANE_MODELS_KEY']) {
      for (const more of [[], ['--format=json']]) {
        const terminal = openTerminal({ env: { [name]: TOKEN } });
        expect(await terminal.run(...words, ...more)).toBe(3);
        expect(terminal.out() + terminal.err()).toContain('usage.invalid');
        expect(terminal.out() + terminal.err()).not.toContain(TOKEN);
      }
    }
  });

  it.each([
    [`--access-token=${TOKEN}`, 'plan'],
    ['plan', `--token=${TOKEN}'=x`],
    ['plan', '--format', 'json', `--acess-token=${TOKEN}`],
    ['plan', `--format=sk-${'Ab3'.repeat(16)}`],
  ])('shows neither the value of an unknown option nor what looks like a credential: %s %s', async (...words) => {
    const terminal = openTerminal();
    expect(await terminal.run(...words)).toBe(3);
    expect(terminal.err()).toMatch(/Unknown option\s+'--[a-z-]+'|‹secret›/);
    expect(terminal.out() + terminal.err()).not.toMatch(/Hk3vQw|Ab3Ab3/);
  });
});

describe('a mistyped command', () => {
  it.each([
    [['rotate'], 'Did you mean `keyplane keys rotate`?'],
    [['show'], 'Did you mean `keyplane account show`?'],
    [['list'], 'Did you mean `keyplane keys list` or `keyplane lock list`?'],
    [['ls'], 'Did you mean `keyplane keys list`?'],
    [['status'], 'Did you mean `keyplane drift`?'],
    [['constructor'], '`keyplane --help` lists the commands'],
    [['usage', 'lgo'], 'Did you mean `keyplane usage log`?'],
    [['usage', 'prod.yaml'], 'To use a manifest, pass -f FILE.'],
    [['-v'], '`keyplane --version` shows the version.'],
    [['plan', '-v'], 'To log every request, pass --verbose.'],
  ])('%j is answered with the command that may be meant', (words, hint) => {
    expect(() => parse(...words)).toThrow(
      expect.objectContaining({ code: 'usage.invalid', hint: expect.stringContaining(hint) }),
    );
  });

  it('shows the commands on standard error if there is none at all', async () => {
    const terminal = openTerminal();
    expect(await terminal.run()).toBe(3);
    expect(terminal.out()).toBe('');
    expect(terminal.err()).toMatch(
      /^Usage: keyplane [\s\S]*\n {2}plan [\s\S]*error\[usage.invalid\]: keyplane: missing command/,
    );
  });
});

describe('the tree', () => {
  it('has all commands of this version', () => {
    expect(TREE.commands.map(({ path }) => path.join(' ')).sort()).toEqual([
      'account groups',
      'account models',
      'account rotate-token',
      'account show',
      'apply',
      'audit',
      'check',
      'completion',
      'conformance',
      'convert',
      'destroy',
      'doctor',
      'drift',
      'gateway',
      'import',
      'init',
      'keys dedupe',
      'keys delete',
      'keys disable',
      'keys enable',
      'keys get',
      'keys identify',
      'keys list',
      'keys rename',
      'keys reveal',
      'keys revoke',
      'keys rotate',
      'lock break',
      'lock list',
      'plan',
      'provider install',
      'provider schema',
      'schema',
      'usage',
      'usage log',
      'validate',
    ]);
  });

  it('selects keys by owner and label wherever it selects them by name', () => {
    const flagsOf = ({ options }: (typeof TREE.commands)[number]) => options.map(({ flag }) => flag);
    const selecting = TREE.commands.filter((command) => flagsOf(command).includes('key'));
    expect(selecting.length).toBeGreaterThan(8);
    for (const command of selecting) {
      expect(flagsOf(command), command.path.join(' ')).toEqual(expect.arrayContaining(['owner', 'label']));
    }
  });

  it('gives --yes to exactly those that change the account, or may replace what somebody keeps', () => {
    const replacing = ['convert', 'import', 'keys reveal', 'provider install'];
    for (const { path, effect, options } of TREE.commands) {
      const asks = effect !== 'reads' || replacing.includes(path.join(' '));
      expect(options.some(({ flag }) => flag === 'yes')).toBe(asks);
    }
  });

  it('names every value that a flag takes', () => {
    for (const { choices = [], summary } of TREE.commands.flatMap(({ options }) => options)) {
      for (const choice of choices) expect(summary).toMatch(new RegExp(`\\b${choice}\\b`));
    }
  });

  it('has no flag for the access token, and none twice', () => {
    for (const { options } of TREE.commands) {
      const flags = options.map(({ flag }) => flag);
      expect(flags.filter((flag) => /token|secret|password/.test(flag))).toEqual([]);
      expect(new Set(flags).size).toBe(flags.length);
    }
  });

  it('shows examples that it can read itself', () => {
    for (const { examples, path } of TREE.commands) {
      expect(examples.length).toBeGreaterThan(0);
      for (const { line } of examples) {
        const [, inner = line] = /\$\((.*)\)/.exec(line) ?? [];
        const words =
          inner
            .split(/ \|\|? /)[0]
            ?.split(' ')
            .slice(1)
            .map((word) => word.replaceAll('"', '')) ?? [];
        expect(parse(...words)).toMatchObject({ kind: 'command', command: { path } });
      }
    }
  });

  it('can load every action', async () => {
    for (const command of TREE.commands) expect(await command.load()).toBeTypeOf('function');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TREE } from '../../../src/cli/index.ts';
import { openAccount } from '../account.ts';

describe('a command that changes the account', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount('ownership: { prune: delete, scope: "app-*" }\nkeys: { app-1: {} }\n');
  });
  afterEach(() => account.close());

  it('asks on a terminal, after showing the plan, and goes on at "yes"', async () => {
    const terminal = account.terminal();
    const code = terminal.run('apply');
    await terminal.shows('Type yes to continue: ');
    expect(terminal.err()).toContain('- delete   app-2 (id 4)');
    terminal.type('yes');
    expect(await code).toBe(0);
    expect(await account.names()).toEqual(['app-1']);
  });

  it.each(['y', 'no', ''])('changes nothing at %j', async (answer) => {
    const terminal = account.terminal();
    const code = terminal.run('apply');
    await terminal.shows('Type yes');
    terminal.type(answer);
    expect(await code).toBe(4);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it('changes nothing when the input ends, or at Ctrl-C', async () => {
    const hung = account.terminal();
    const first = hung.run('apply');
    await hung.shows('Type yes');
    hung.hangUp();
    expect(await first).toBe(4);
    const interrupted = account.terminal();
    const second = interrupted.run('keys', 'delete', '3');
    await interrupted.shows('Type yes');
    interrupted.signal('SIGINT');
    expect(await second).toBe(130);
    expect(interrupted.listening()).toBe(0);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it('asks for the number of keys before it destroys them', async () => {
    const terminal = account.terminal();
    const code = terminal.run('destroy');
    await terminal.shows('Type 2 to continue: ');
    terminal.type('yes');
    expect(await code).toBe(4);
    const again = account.terminal();
    const second = again.run('destroy');
    await again.shows('Type 2 to continue: ');
    again.type('2');
    expect(await second).toBe(0);
    expect(await account.names()).toEqual([]);
  });

  it('is refused without terminal and without --yes, whichever it is', async () => {
    const words: Record<string, string[]> = {
      apply: ['apply', '--allow-last-key'],
      destroy: ['destroy'],
      'keys enable': ['keys', 'enable', 'app-1'],
      'keys disable': ['keys', 'disable', 'app-1'],
      'keys revoke': ['keys', 'revoke', 'app-2', '--reason', 'leaked'],
      'keys rotate': ['keys', 'rotate', 'app-1'],
      'keys rename': ['keys', 'rename', 'app-1', 'app-3'],
      'keys delete': ['keys', 'delete', 'app-1'],
      'account rotate-token': ['account', 'rotate-token', '--out', 'token'],
    };
    // These ask only about keys that share a name, about claims, and about the key of a secret: their own tests have them.
    const own = ['keys dedupe', 'keys identify', 'lock break'];
    const changing = TREE.commands
      .filter(({ effect }) => effect !== 'reads')
      .map(({ path }) => path.join(' '))
      .filter((name) => !own.includes(name));
    expect(Object.keys(words).sort()).toEqual([...changing].sort());
    await account.terminal().run('keys', 'disable', 'app-1', '--yes');
    for (const name of changing) {
      const terminal = account.terminal(false);
      const given = name === 'keys disable' ? ['keys', 'disable', 'app-2'] : (words[name] ?? []);
      expect([name, await terminal.run(...given)]).toEqual([name, 4]);
      expect(terminal.err()).toContain('guard.unconfirmed');
    }
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });
});

describe('a protected key', () => {
  it('is disabled or deleted by hand only with the flag for it', async () => {
    const account = await openAccount('ownership: { protect: ["app-1"] }\nkeys: {}\n');
    const terminal = account.terminal(false);
    expect(await terminal.run('keys', 'delete', 'app-1', '--yes')).toBe(4);
    expect(terminal.err()).toContain('guard.protected');
    expect(await account.terminal(false).run('keys', 'delete', 'app-1', '--yes', '--allow-protected')).toBe(0);
    expect(await account.names()).toEqual(['app-2']);
    await account.close();
  });
});

describe('a terminal', () => {
  it('gets colours and a moving line; a pipe gets none of them', async () => {
    const account = await openAccount('keys: { app-9: { budget: unlimited } }\n');
    const colourful = account.terminal(true, { NO_COLOR: '' });
    expect(await colourful.run('apply', '--yes')).toBe(0);
    expect(colourful.out()).toContain('\u001b[32mdone');
    expect(colourful.err()).toContain('Reading the account');
    expect(colourful.err()).not.toContain('[1/1]');
    const piped = account.terminal(false, { NO_COLOR: '' });
    await piped.run('plan');
    expect(piped.out() + piped.err()).not.toContain('\u001b');
    await account.close();
  });

  it.each<[string, readonly string[], string | undefined, number]>([
    ['with --show', ['--show'], undefined, 0],
    ['after somebody agreed', [], 'show\n', 0],
    ['never when somebody agreed to something else', [], 'yes\n', 4],
    ['never with --yes alone', ['--yes'], undefined, 4],
    ['and asks nothing for a file', ['--out', 'secret.txt'], undefined, 0],
  ])('shows secrets %s', async (_, more, typed, expected) => {
    const account = await openAccount('keys: { app-9: { budget: unlimited } }\n');
    const watched = account.terminal(true);
    if (typed !== undefined) watched.type(typed);
    watched.hangUp();
    expect(await watched.run('keys', 'reveal', '3', ...more)).toBe(expected);
    expect(watched.out().includes('sk-')).toBe(expected === 0 && !more.includes('--out'));
    await account.close();
  });
});

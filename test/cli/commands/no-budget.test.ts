import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount, SEED } from '../account.ts';

describe('a new key without a budget', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount('keys: { app-1: {}, app-9: {} }\n');
  });
  afterEach(() => account.close());

  async function ask(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  it('is refused with the advice to declare one, and nothing is written', async () => {
    const { code, err } = await ask('apply', '--yes');
    expect(code).toBe(4);
    expect(err).toContain('error[guard.no-budget]: A new key has no budget: “app-9”.');
    expect(err.replaceAll(/\s+/g, ' ')).toContain('Declare its `budget`; `budget: unlimited` sets no ceiling.');
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it('is refused in the plan, with the same advice', async () => {
    const { code, out, err } = await ask('plan');
    expect(code).toBe(4);
    expect(out).toContain('[guard.no-budget]: A new key has no budget: “app-9”.');
    expect(out + err).not.toContain('allows it for one run');
  });

  it('is named when the manifest is validated, which cannot know that it is new', async () => {
    const { code, out } = await ask('validate');
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'valid, 2 keys No budget is declared for app-1, app-9. An existing key keeps its budget, but a plan that would create a key without one is refused.',
    );
    const json = JSON.parse((await ask('validate', '--format', 'json')).out);
    expect(json).toMatchObject({ diagnostics: [], data: { withoutBudget: ['app-1', 'app-9'] } });
    const budgets = 'app-1: { budget: unlimited }, app-9: { budget: { usd: 0 } }, adopted: { id: 7, name: x }';
    await writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\nkeys: { ${budgets} }\n`);
    expect((await ask('validate')).out).toBe('keyplane.yaml: valid, 3 keys\n');
  });

  it('is refused when it is declared in Terraform JSON', async () => {
    const resource = { keyplane_api_key: { app: { name: 'app-8' } } };
    await writeFile(join(account.folder, 'keys.tf.json'), JSON.stringify({ resource }));
    expect(await ask('plan', '-f', 'keys.tf.json')).toMatchObject({
      code: 4,
      out: expect.stringContaining('[guard.no-budget]: A new key has no budget: “app-8”.'),
    });
    expect((await ask('validate', '-f', 'keys.tf.json')).out).toContain('No budget is declared for app-8.');
  });

  it('leaves the runs about other keys alone', async () => {
    expect((await ask('apply', '--yes', '--key', 'app-1')).code).toBe(0);
  });

  it.each(['{ app-9: { budget: unlimited } }', '{ app-9: { budget: { usd: 0 } } }'])(
    'is created with one: %s',
    async (keys) => {
      await writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\nkeys: ${keys}\n`);
      expect((await ask('apply', '--yes')).code).toBe(0);
      expect(await account.names()).toEqual(['app-1', 'app-2', 'app-9']);
    },
  );
});

it('a key that is added to an imported file is refused until it has a budget', async () => {
  const account = await openAccount('keys: {}\n', {
    ...SEED,
    keys: ['a', 'b', 'c'].map((name) => ({ name, unlimited_quota: true })),
  });
  const terminal = account.terminal(false);
  expect(await terminal.run('import', '--out', 'keyplane.yaml', '--yes')).toBe(0);
  expect(terminal.err()).toMatch(/^Imported \d+ keys?\.\n/);
  const text = await readFile(join(account.folder, 'keyplane.yaml'), 'utf8');
  await writeFile(join(account.folder, 'keyplane.yaml'), `${text}  added: {}\n`);
  const refused = account.terminal(false);
  expect(await refused.run('apply', '--yes')).toBe(4);
  expect(refused.err()).toContain('A new key has no budget: “added”.');
  expect(await account.names()).toEqual(['a', 'b', 'c']);
  await account.close();
});

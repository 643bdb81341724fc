import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TREE } from '../../../src/cli/index.ts';
import { logData } from '../../../src/cli/output/usage/log.ts';
import { kindOf } from '../../../src/cli/program/command.ts';
import { decimalOf, quota } from '../../../src/domain/index.ts';
import { openAccount } from '../account.ts';
import { describedKinds, problemsOf } from '../output-form.ts';

const MANIFEST = 'keys: { app-1: { budget: { usd: 1 } }, app-3: { budget: { usd: 2, per: month } } }\n';

/** Commands that write to the account come last. Each is validated by the terminal, too. */
const COMMANDS = [
  ['init', '--template', 'terraform', '--dir', 'project'],
  ['validate'],
  ['import'],
  ['convert', '--to', 'hcl'],
  ['schema'],
  ['plan'],
  ['drift'],
  ['check'],
  ['usage', '--by', 'model'],
  ['usage', 'log'],
  ['keys', 'list'],
  ['keys', 'get', '3'],
  ['keys', 'reveal', '3'],
  ['keys', 'dedupe'],
  ['account', 'show'],
  ['account', 'groups'],
  ['account', 'models', '3'],
  ['lock', 'list'],
  ['lock', 'break', '--yes'],
  ['audit'],
  ['doctor'],
  ['conformance', '--level', 'read'],
  ['completion', 'bash'],
  ['apply', '--yes'],
  ['keys', 'disable', '4', '--yes'],
  ['keys', 'enable', '4', '--yes'],
  ['keys', 'rename', '4', 'app-4', '--yes'],
  ['keys', 'revoke', 'app-1', '--reason', 'leaked', '--yes'],
  ['keys', 'delete', '4', '--yes'],
  ['keys', 'rotate', 'app-3', '--yes'],
  ['account', 'rotate-token', '--out', 'token.txt', '--yes'],
  ['destroy', '--yes', '--max-deletes', '9'],
];

/** These print while they run, have a secret as their input, or need the built program: they are tested elsewhere. */
const OTHERS = ['gateway', 'keys-identify', 'provider-install', 'provider-schema'];

describe('the JSON Schema of the output', () => {
  it('describes every command, and words that name none', () => {
    expect(describedKinds().toSorted()).toEqual([...TREE.commands.map(kindOf), 'command-line'].sort());
  });

  it('is tried with every command', () => {
    const tried = COMMANDS.map((words) => words.join('-'));
    const left = TREE.commands.map(kindOf).filter((kind) => !tried.some((words) => `${words}-`.startsWith(`${kind}-`)));
    expect(left.toSorted()).toEqual(OTHERS);
  });

  it('is part of the package', async () => {
    const { exports } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(exports['./output.schema.json']).toBe('./schema/output.schema.json');
  });

  it('reports a field that is missing, and one that it does not describe', () => {
    const output = { kind: 'completion', version: 1, data: { script: '' }, diagnostics: [] };
    expect(problemsOf(output)).toEqual([]);
    expect(problemsOf({ ...output, data: {} })[0]).toContain("must have required property 'script'");
    expect(problemsOf({ ...output, data: { script: '', more: 1 } })[0]).toContain(
      'must NOT have additional properties',
    );
    expect(problemsOf({ ...output, kind: 'nothing' })).toEqual(['no schema for nothing']);
  });
});

describe('an entry of the usage log', () => {
  it.each(['login', 9] as const)('is described by the schema, whether its type is known or not: %s', (type) => {
    const record = { identity: '', at: 1, keyId: undefined, keyName: '', spent: quota(0), type };
    const entries = [logData(record, decimalOf(500_000))];
    expect(problemsOf({ kind: 'usage-log', version: 1, data: { entries, isComplete: true }, diagnostics: [] })).toEqual(
      [],
    );
  });
});

describe('what `keys identify` prints', () => {
  it.each(['known', 'unknown'])('is described by the schema: a secret that is %s', async (which) => {
    const account = await openAccount(MANIFEST);
    const revealed = account.terminal(false);
    await revealed.run('keys', 'reveal', '3');
    const terminal = account.terminal(false);
    terminal.type(which === 'known' ? revealed.out().trim() : 'sk-nobody-has-this-one');
    terminal.hangUp();
    await terminal.run('keys', 'identify', '--format', 'json');
    await account.close();
    const output = JSON.parse(terminal.out());
    expect(output.data.key === null).toBe(which === 'unknown');
    expect(problemsOf(output)).toEqual([]);
  });
});

describe('what a command prints with `--format json`', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(MANIFEST);
  });
  afterEach(() => account.close());

  it.each(COMMANDS.map((words) => words.join(' ')))('is described by the schema: %s', async (line) => {
    const terminal = account.terminal(false);
    await terminal.run(...line.split(' '), '--format', 'json');
    // A command that writes a file prints nothing.
    const text = terminal.out() === '' ? await readFile(join(account.folder, 'token.txt'), 'utf8') : terminal.out();
    const output = JSON.parse(text);
    expect(output.fault, terminal.err()).toBeUndefined();
    expect(output.data).not.toBeNull();
    expect(problemsOf(output)).toEqual([]);
  });
});

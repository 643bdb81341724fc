import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineOf } from '../../../src/cli/session/io.ts';
import { fileLock } from '../../../src/disk/index.ts';
import { openAccount, SEED } from '../account.ts';

const LONG = 'é'.repeat(26);
const NAMES = [' lead ', 'tab\there', LONG, 'twin', 'twin', 'plain'];

describe('keys that only their IDs identify', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    const keys = NAMES.map((name, i) => ({ id: 11 + i, name, remain_quota: 500_000 }));
    account = await openAccount('keys: {}\n', { ...SEED, keys });
  });
  afterEach(() => account.close());

  async function ask(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  const manifest = () => join(account.folder, 'keyplane.yaml');

  it('are all imported, and the imported file plans to nothing', async () => {
    expect(await ask('import', '--out', 'keyplane.yaml', '--yes')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('cannot'),
    });
    expect(await readFile(manifest(), 'utf8')).toContain('  key-11:\n    id: 11\n    name: " lead "\n');
    const planned = await ask('plan', '--detailed-exitcode');
    expect(planned).toMatchObject({ code: 0, out: expect.stringContaining('6 unchanged') });
  });

  it('are imported as Terraform JSON, which plans to nothing without Terraform', async () => {
    expect((await ask('import', '--to', 'hcl-json', '--key', 'twin', '--out', 'keys.tf.json', '--yes')).code).toBe(0);
    const planned = await ask('plan', '-f', 'keys.tf.json', '--detailed-exitcode');
    expect(planned).toMatchObject({ code: 0, out: expect.stringContaining('2 unchanged') });
  });

  it('are refused under a name that they no longer have, with the current one', async () => {
    await writeFile(manifest(), 'version: 1\nkeys: { a: { id: 11, name: "lead" } }\n');
    const { code, err } = await ask('apply', '--yes');
    expect(code).toBe(4);
    expect(err).toContain('error[plan.stale-adoption]');
    expect(err.replaceAll(/\s+/g, ' ')).toContain('key 11 is named “ lead ”, not “lead”');
  });

  it('are renamed by `renamedFrom`, and only by it', async () => {
    await writeFile(
      manifest(),
      'version: 1\nkeys: { lead: { renamedFrom: { id: 11 } }, other: { renamedFrom: { id: 15 } } }\n',
    );
    expect((await ask('apply', '--yes')).code).toBe(0);
    expect(await account.names()).toEqual(['lead', 'other', 'plain', 'tab\there', 'twin', LONG].sort());
    expect((await ask('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('are renamed by hand', async () => {
    const { code, out } = await ask('keys', 'rename', '11', 'lead', '--yes');
    expect([code, out]).toEqual([0, '" lead " (id 11): renamed to lead\n']);
    expect(await account.names()).toContain('lead');
    expect((await ask('keys', 'rename', '11', 'lead', '--yes')).out).toContain('has this name already');
  });

  it.each([
    [['14', 'Plain'], 4, 'Key 16 is named plain already.'],
    [['14', 'lead~20261125-1430'], 3, 'it has the form of a generation, which a rotation gives to a key'],
    [['14', ' blank'], 3, 'it begins or ends with white space'],
    [['twin', 'other'], 4, '2 keys are named twin: ids 14, 15.'],
    [['99', 'other'], 1, 'This account has no key id 99.'],
  ])('are not renamed to a name that is taken or invalid: %j', async (words, code, message) => {
    const ended = await ask('keys', 'rename', ...words, '--yes');
    expect(ended.code).toBe(code);
    expect(ended.err.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(await account.names()).toEqual([...NAMES].sort());
  });

  it('are declared disabled where their IDs are declared, and no other key of the name is', async () => {
    await writeFile(manifest(), 'version: 1\nkeys:\n  a: { id: 14, name: twin }\n  b: { id: 15, name: twin }\n');
    expect((await ask('keys', 'disable', '15', '--write', '--yes')).code).toBe(0);
    expect(await readFile(manifest(), 'utf8')).toBe(
      'version: 1\nkeys:\n  a: { id: 14, name: twin }\n  b: { enabled: false, id: 15, name: twin }\n',
    );
  });

  it('are renamed with a reminder where a manifest declares the former name', async () => {
    await writeFile(manifest(), 'version: 1\nkeys:\n  plain: {}\n');
    const { code, err } = await ask('keys', 'rename', 'plain', 'other', '--yes');
    expect([code, err]).toEqual([0, expect.stringContaining('keyplane.yaml:3 declares plain. Write the new name')]);
  });

  it.each([
    ['a: { id: 15, name: twin, checks: [model-list] }', [15]],
    ['a: { id: 14, name: twin, checks: [model-list] }, b: { id: 15, name: twin }', [14, 15]],
  ])('are checked by their IDs: %s', async (keys, ids) => {
    await writeFile(manifest(), `version: 1\nkeys: { ${keys} }\n`);
    const { out } = await ask('check', '--format', 'json');
    const { data } = JSON.parse(out);
    expect(data.results.map(({ keyId }: { keyId: number }) => keyId)).toEqual(ids);
    expect(out).not.toContain('several keys have this name');
  });

  it.each([['rename', '11', 'other'], ['dedupe']])(
    'are left alone by keys %s while another run writes',
    async (...words) => {
      const { io } = account.terminal(false);
      const held = await fileLock(machineOf(io)).acquire({ url: account.url, userId: 42 }, { timeoutSeconds: 0 });
      expect(await ask('keys', ...words, '--yes')).toMatchObject({
        code: 4,
        err: expect.stringContaining('apply.locked'),
      });
      expect((await ask('keys', 'disable', '11', '--yes')).code).toBe(0);
      await held.release();
      expect(await account.names()).toEqual([...NAMES].sort());
      expect((await ask('keys', 'rename', '11', 'other', '--yes')).code).toBe(0);
    },
  );

  it('are not renamed where a manifest protects them, nor without confirmation', async () => {
    await writeFile(manifest(), 'version: 1\nownership: { protect: ["pl*"] }\n');
    expect(await ask('keys', 'rename', 'plain', 'other', '--yes')).toMatchObject({
      code: 4,
      err: expect.stringContaining('guard.protected'),
    });
    expect(await ask('keys', 'rename', '11', 'other')).toMatchObject({
      code: 4,
      err: expect.stringContaining('guard.unconfirmed'),
    });
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declareDisabled, readManifest } from '../../src/manifest/index.ts';

/** The text after the edit of the key `ci-a`; undefined when it was refused. Comments as a manifest's own reader places them. */
async function edit(
  text: string,
  { comment, name = 'ci-a', file = 'keyplane.yaml' }: { comment?: string; name?: string; file?: string } = {},
) {
  const cwd = await mkdtemp(join(tmpdir(), 'keyplane-edit-'));
  try {
    await writeFile(join(cwd, file), text);
    const context = { env: { ON: 'true' }, variables: ['ON'], cwd, now: 0 };
    const { manifest } = await readManifest([file], context);
    const place = manifest?.desired.keys.find((key) => key.name === name)?.place;
    if (!place) throw new Error('the manifest does not declare the key');
    const edited = declareDisabled(text, { place, comment });
    if (edited === undefined) return undefined;
    await writeFile(join(cwd, file), edited);
    const again = await readManifest([file], context);
    expect(again.manifest?.desired.keys.find((key) => key.name === name)?.enabled).toBe(false);
    return edited;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

describe('the edit that declares a key disabled', () => {
  it.each<[string, string, string]>([
    [
      'adds a line to a block, and keeps comments',
      'version: 1\nkeys: # all\n  # the CI\n  ci-a: # ours\n    # money\n    budget: { usd: 5 } # five\n  b: {}\n',
      'version: 1\nkeys: # all\n  # the CI\n  ci-a: # ours\n    # money\n    enabled: false\n    budget: { usd: 5 } # five\n  b: {}\n',
    ],
    [
      'changes a value',
      'version: 1\nkeys:\n  ci-a:\n    enabled: true # yes\n',
      'version: 1\nkeys:\n  ci-a:\n    enabled: false # yes\n',
    ],
    [
      'adds to a flow map',
      'version: 1\nkeys:\n  ci-a: { budget: { usd: 5 } }\n',
      'version: 1\nkeys:\n  ci-a: { enabled: false, budget: { usd: 5 } }\n',
    ],
    [
      'fills an empty flow map',
      'version: 1\nkeys: { ci-a: {}, b: {} }\n',
      'version: 1\nkeys: { ci-a: { enabled: false }, b: {} }\n',
    ],
    [
      'replaces a reference',
      'version: 1\nkeys:\n  ci-a: { enabled: "${env:ON}" }\n',
      'version: 1\nkeys:\n  ci-a: { enabled: false }\n',
    ],
    [
      'keeps Windows line ends',
      'version: 1\r\nkeys:\r\n  ci-a:\r\n    group: vip\r\n',
      'version: 1\r\nkeys:\r\n  ci-a:\r\n    enabled: false\r\n    group: vip\r\n',
    ],
    [
      'keeps a byte order mark',
      '\ufeffversion: 1\nkeys: { ci-a: {} }\n',
      '\ufeffversion: 1\nkeys: { ci-a: { enabled: false } }\n',
    ],
    [
      'overrides an enabled of defaults',
      'version: 1\ndefaults: { enabled: true }\nkeys: { ci-a: { group: vip } }\n',
      'version: 1\ndefaults: { enabled: true }\nkeys: { ci-a: { enabled: false, group: vip } }\n',
    ],
    [
      'finds the second document',
      'version: 1\nkeys: { b: {} }\n---\nversion: 1\nkeys: { ci-a: {} }\n',
      'version: 1\nkeys: { b: {} }\n---\nversion: 1\nkeys: { ci-a: { enabled: false } }\n',
    ],
  ])('%s', async (_, before, after) => {
    expect(await edit(before)).toBe(after);
  });

  it('adds the reason above the key', async () => {
    const text = 'version: 1\nkeys:\n  b: {}\n  ci-a:\n    group: vip\n';
    const expected = 'version: 1\nkeys:\n  b: {}\n  # Revoked: leaked\n  ci-a:\n    enabled: false\n    group: vip\n';
    expect(await edit(text, { comment: 'Revoked: leaked' })).toBe(expected);
  });

  it('leaves the reason out of JSON, and where a comment would become part of a value', async () => {
    const json = '{ "version": 1, "keys": { "ci-a": { "group": "vip" } } }\n';
    const shown = await edit(json, { comment: 'leaked', file: 'keyplane.json' });
    expect(JSON.parse(shown ?? '')).toEqual({ version: 1, keys: { 'ci-a': { enabled: false, group: 'vip' } } });
    const flow = 'version: 1\nkeys: { b: { group: "a\n  b" }, ci-a: {} }\n';
    expect(await edit(flow, { comment: 'leaked' })).toBe(
      'version: 1\nkeys: { b: { group: "a\n  b" }, ci-a: { enabled: false } }\n',
    );
  });

  it.each([
    ['a place without a name', 'keys:\n   b: {}\n', 2],
    ['a text that does not parse', 'keys:\n  ci-a: {}\n  b: [\n', 2],
    ['a list of keys', 'keys:\n  - ci-a\n', 2],
    ['a text without keys', '- ci-a\n', 1],
    ['a key without fields', 'keys:\n  ci-a:\n', 2],
    ['a key that is a text', 'keys:\n  ci-a: b\n', 2],
    ['a name that is a list', 'keys:\n  ? [ci-a]\n  : {}\n', 2],
    ['a name that is an alias', 'keys:\n  *a : {}\n', 2],
    ['a value that is a list', 'keys:\n  ci-a: { enabled: [true] }\n', 2],
    ['fields that are merged', 'keys:\n  ci-a:\n    ? [a]\n    : b\n', 2],
  ])('refuses %s', (_, text, line) => {
    const place = { file: 'keyplane.yaml', line, column: 3, endLine: line, endColumn: 7 };
    expect(declareDisabled(text, { place })).toBeUndefined();
  });

  it.each([
    ['an alias', 'version: 1\nkeys:\n  b: &b { group: vip }\n  ci-a: *b\n'],
    ['an anchor that another key uses', 'version: 1\nkeys:\n  ci-a: &a { group: vip }\n  b: *a\n'],
  ])('refuses %s, which it could only change together with another key', async (_, text) => {
    expect(await edit(text)).toBeUndefined();
  });
});

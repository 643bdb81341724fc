import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brief, readFiles } from '../manifest/scratch.ts';
import { from, readStacks, stackOf } from './synthesized.ts';

const read = (text: string | Uint8Array) => readFiles({ 'a.tf.json': text });

describe('a text that is not JSON', () => {
  test.each([
    ['<!DOCTYPE html><html></html>', '1:1', 'The file is a web page, not JSON.'],
    ['', '1:1', 'The text ends too early.'],
    [' \n ', '2:2', 'The text ends too early.'],
    ['{ "a": 1', '1:9', 'The text ends too early.'],
    ['{ "a": "b', '1:8', 'A quote is not closed.'],
    ['{ "a": "b\n" }', '1:8', 'The string has a line break, a control character or an unknown escape.'],
    ['{ "a": "\\q" }', '1:8', 'The string has a line break, a control character or an unknown escape.'],
    ['{ "a": 1, }', '1:11', 'Expected a name in double quotes.'],
    ['{ a: 1 }', '1:3', 'Expected a name in double quotes.'],
    ["{ 'a': 1 }", '1:3', 'Expected a name in double quotes.'],
    ['{ "a": &x 1 }', '1:8', 'Expected a value.'],
    ['{ "a": 01 }', '1:8', 'This is not a JSON value.'],
    ['{ "a": +1 }', '1:8', 'Expected a value.'],
    ['{ "a": nullx }', '1:8', 'This is not a JSON value.'],
    ['{ "a": 1 } # end', '1:12', 'Unexpected text after the end.'],
    ['version: 1\nkeys: {}\n', '1:1', 'Expected a value.'],
    ['{ "a": 1, "b": 2,\n "a": 3 }', '2:2', '"a" occurs twice in one object.'],
    ['['.repeat(100_000), '1:102', 'The nesting is deeper than 100.'],
  ])('%j is refused at %s', async (text, at, message) => {
    const { diagnostics, manifest } = await read(text);
    expect(diagnostics.map((each) => [brief(each), each.message])).toEqual([[`manifest.syntax ${at}`, message]]);
    expect(manifest).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ found: expect.stringMatching(/./), hint: expect.stringMatching(/./) });
  });

  test.each([
    ['null', 'nothing'],
    ['7', '7'],
    ['["a"]', '"a"'],
  ])('or not an object, such as %s, is refused', async (text) => {
    const { manifest, diagnostics } = await read(text);
    expect(manifest).toBeUndefined();
    expect(diagnostics.length).toBeGreaterThan(0);
  });

  test.each([
    ['{ "access_token": "very0secret" "a" }', '"access_token"'],
    ['{ "access_token":\n "very0secret" "a" }', '"access_token"'],
    ['{ "variable": { "keyplane_token": { "default": "very0secret" "x" } } }', '"default"'],
    ['{ "token": very0secret }', '"token"'],
    ['{ "a": "very0secret", "b" }', '"a"'],
    ['{ "a": "x\n very0secret" }', '"a"'],
    ['{ "a": [\n"very0secret",\n], "name": "x" }', '"name"'],
    [`{ "far": "${'very0secret '.repeat(2000)}", "near": "x" "very0secret" }`, '"near"'],
  ])('%j shows names, and no value that may be a secret', async (text, shown) => {
    const { diagnostics, sources } = await read(text);
    expect(diagnostics).toHaveLength(1);
    expect(JSON.stringify([diagnostics, ...sources])).not.toContain('very0secret');
    expect([...sources.values()].join('')).toContain(shown);
  });

  test('or too large, or not UTF-8, is refused', async () => {
    expect((await read(new Uint8Array([0xff, 0xfe]))).diagnostics).toMatchObject([{ code: 'manifest.unreadable' }]);
    const large = await read(new Uint8Array(32 * 1024 * 1024 + 1).fill(32));
    expect(large.diagnostics).toMatchObject([{ code: 'manifest.unreadable' }]);
  });
});

test('a text of megabytes in one value is read', async () => {
  const output = { note: { value: 'x"\\'.repeat(1_000_000) } };
  const { manifest } = await read(JSON.stringify(stackOf({ app: { name: 'app' } }, { output })));
  expect(manifest?.desired.keys).toHaveLength(1);
});

test('comments are allowed at every level, as strings too', async () => {
  const { diagnostics, manifest } = await read(
    JSON.stringify({
      '//': 'a stack',
      locals: { '//': 'none' },
      provider: { '//': 'ours', keyplane: { '//': 'where', user_id: 1 } },
      resource: {
        '//': ['keys'],
        keyplane_api_key: {
          '//': 'all',
          app: { '//': 'one', name: 'app', budget: { '//': 'much', usd: 5, per: 'lifetime' } },
        },
      },
    }),
  );
  expect(diagnostics).toEqual([]);
  expect(manifest?.desired.keys.map(({ name }) => name)).toEqual(['app']);
});

test('blocks may be lists of objects at every level', async () => {
  const { diagnostics, manifest } = await read(
    JSON.stringify([
      { provider: [{ keyplane: [{ user_id: 1 }] }] },
      { resource: [{ keyplane_api_key: [{ a: [{ name: 'a' }] }, { b: { name: 'b' } }] }] },
    ]),
  );
  expect(diagnostics).toEqual([]);
  expect(manifest?.desired.keys.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('a manifest of Keyplane that is called manifest.json is a manifest', async () => {
  const files = {
    'f/manifest.json': '{ "version": 1, "keys": { "a": {} } }',
    'f/b.yaml': 'version: 1\nkeys: { b: {} }\n',
  };
  const { manifest } = await readFiles(files, { paths: ['f'] });
  expect(manifest?.desired.keys.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('any file is either read or refused', async () => {
  const blocks = fc.constantFrom(
    ...['resource', 'data', 'provider', 'locals', 'variable', 'import', 'check', 'output', 'lifecycle', '//'],
    ...['keyplane', 'keyplane_api_key', 'keyplane_check', 'name', 'alias', 'metadata', 'path', '__proto__'],
  );
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom(null, true, 7, 'x', '${local.x}', 'keyplane.x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(blocks, tie('value'), { maxKeys: 5 }),
    ),
  })).value;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(blocks, values), async (root) => {
      const { manifest, diagnostics } = await read(JSON.stringify(root));
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(manifest === undefined).toBe(errors.length > 0);
    }),
    { numRuns: 500 },
  );
});

test('any key is either read or refused', async () => {
  const names = fc.constantFrom(
    ...['name', 'enabled', 'group', 'models', 'allow_ips', 'expires_at', 'budget', 'smart_routing_tiers', 'for_each'],
    ...['count', 'lifecycle', 'provider', '//', 'id', 'x', '__proto__'],
  );
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        null,
        true,
        0,
        -1,
        1.5,
        '',
        'app',
        'any',
        '${each.key}',
        '${count.index}',
        '${local.l}',
        '${"a"}',
      ),
      fc.string(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(names, fc.constantFrom('usd', 'below', 'keyplane')), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, values), values, async (fields, local) => {
      const { manifest, diagnostics } = await readStacks({
        prod: stackOf({ app: from('prod/App', fields) }, { locals: { l: local } }),
      });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect(manifest === undefined).toBe(errors.length > 0);
    }),
    { numRuns: 300 },
  );
});

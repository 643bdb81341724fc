import { describe, expect, test } from 'vitest';
import { from, messagesOf, readStacks, stackOf } from './synthesized.ts';

const KEYS = {
  app: from('prod/App', { name: 'app' }),
  many: from('prod/Many', { for_each: { x: 1 }, name: 'm-${each.key}' }),
  count: from('prod/Count', { count: 1, name: 'c' }),
};

type Block = Readonly<Record<string, unknown>>;

const reading = (blocks: readonly Block[], keys: Block = KEYS) =>
  readStacks({ prod: stackOf(keys, { import: blocks, locals: { old: 'old' } }) });

const NO_KEY = 'terraform.not-supported -: The import is not for a key of this module.';

describe('an import', () => {
  test.each([
    ['keyplane_api_key.app', 'app'],
    ['${keyplane_api_key.app}', 'app'],
    ['resource.keyplane_api_key.app', 'app'],
    ['keyplane_api_key . app', 'app'],
    ['/*x*/keyplane_api_key.app', 'app'],
    ['keyplane_api_key.many["x"]', 'm-x'],
    ['keyplane_api_key.count[0]', 'c'],
  ])('to %j renames the key %s', async (to, name) => {
    const { manifest, diagnostics } = await reading([{ to, id: 'name=old' }]);
    expect(diagnostics).toEqual([]);
    const renamed = manifest?.desired.keys.filter(({ renamedFrom }) => renamedFrom !== undefined);
    expect(renamed?.map((key) => [key.name, key.renamedFrom])).toEqual([[name, 'old']]);
  });

  test.each([
    ['keyplane_api_key.none'],
    ['keyplane_api_key.many'],
    ['keyplane_api_key.many["y"]'],
    ['keyplane_api_key.many[each.key]'],
    ['keyplane_api_key.count'],
    ['keyplane_api_key.count[1]'],
    ['keyplane_api_key.count[0.5]'],
    ['keyplane_api_key.app.name'],
    ['keyplane_api_key[0]'],
    ['keyplane_api_key'],
    ['module.m.keyplane_api_key.app'],
    ['data.keyplane_api_key.app'],
    ['resource["keyplane_api_key"].app'],
    ['keyplane_api_key.app}'],
    ['upper("keyplane_api_key.app")'],
    ['aws_vpc'],
    ['aws_vpc.main + 1'],
    ['keyplane_api_key-x'],
    [''],
    [7],
    [undefined],
  ])('to %j is refused', async (to) => {
    expect(messagesOf(await reading([{ to, id: 'name=old' }]))).toEqual([NO_KEY]);
  });

  test.each([
    ['aws_vpc.main'],
    ['resource.aws_vpc.main["x"]'],
    ['${aws_vpc.main[each.key]}'],
    // The name of a type is the name of its provider, with or without more.
    ['thing.main'],
    ['resource.thing.main["x"]'],
    ['${thing.main[0]}'],
    ['aws-vpc.main'],
  ])('to %j, which is not a key, is ignored', async (to) => {
    const { manifest, diagnostics } = await reading([{ to, id: '7' }]);
    expect(diagnostics).toEqual([]);
    expect(manifest?.desired.keys.map(({ renamedFrom }) => renamedFrom)).toEqual([undefined, undefined, undefined]);
  });

  test('to one key twice is refused, with both places', async () => {
    const to = ['keyplane_api_key.app', 'resource.keyplane_api_key.app'];
    const { diagnostics } = await reading(to.map((address, i) => ({ to: address, id: `name=old${i}` })));
    expect(diagnostics).toMatchObject([
      { message: 'Two imports are for the same key.', related: [{ message: 'the first import' }] },
    ]);
  });

  test.each([
    ['name=$${path.module}', '${path.module}'],
    ['${"name=old"}', 'old'],
    ['name=${local.old}-1', 'old-1'],
  ])('with the id %j names the key %j', async (id, name) => {
    const { manifest, diagnostics } = await reading([{ to: 'keyplane_api_key.app', id }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(manifest?.desired.keys.find((key) => key.name === 'app')?.renamedFrom).toBe(name);
  });

  test.each([['7'], [7], ['id=7'], ['${"7"}']])('with the id %j adopts that key', async (id) => {
    const { manifest, diagnostics } = await reading([{ to: 'keyplane_api_key.app', id }]);
    expect(diagnostics).toEqual([]);
    const [app] = manifest?.desired.keys.filter(({ name }) => name === 'app') ?? [];
    expect(app).toMatchObject({ id: 7, name: 'app' });
    expect(app).not.toHaveProperty('renamedFrom');
  });

  test('by ID distinguishes two keys with one name', async () => {
    const twins = { a: from('prod/A', { name: 'twin' }), b: from('prod/B', { name: 'twin' }) };
    const blocks = [7, 8].map((id, i) => ({ to: `keyplane_api_key.${'ab'[i]}`, id: String(id) }));
    const { manifest, diagnostics } = await reading(blocks, twins);
    expect(diagnostics).toEqual([]);
    expect(manifest?.desired.keys).toMatchObject([
      { id: 7, name: 'twin' },
      { id: 8, name: 'twin' },
    ]);
    expect(messagesOf(await reading(blocks.slice(0, 1), twins))).toEqual([
      'manifest.duplicate-key prod/B: The key "twin" is declared twice.',
    ]);
  });

  test('of one live key to two declared keys is refused', async () => {
    const blocks = ['app', 'many["x"]'].map((key) => ({ to: `keyplane_api_key.${key}`, id: '7' }));
    expect(messagesOf(await reading(blocks))).toEqual([expect.stringContaining('is declared twice.')]);
  });

  test.each([['name='], ['0'], ['07'], ['7.5'], ['id='], [-7], [null], [undefined], [['name=old']]])(
    'with the id %j is refused',
    async (id) => {
      expect(messagesOf(await reading([{ to: 'keyplane_api_key.app', id }]))).toEqual([
        'terraform.not-supported -: The import does not identify a key.',
      ]);
    },
  );

  test('with an unresolved id is refused', async () => {
    expect(messagesOf(await reading([{ to: 'keyplane_api_key.app', id: '${path.module}' }]))).toEqual([
      'terraform.unresolved -: Keyplane does not evaluate `path.module`: its value depends on where Terraform runs.',
    ]);
  });

  test('that contradicts the construct is refused', async () => {
    const keys = { app: { ...from('prod/App', { name: 'app' }), '//': { keyplane: { renamedFrom: 'older' } } } };
    expect(messagesOf(await reading([{ to: 'keyplane_api_key.app', id: 'name=old' }], keys))).toEqual([
      'terraform.not-supported keyplane_api_key.app: The construct and an import give the key different former names.',
    ]);
    expect(messagesOf(await reading([{ to: 'keyplane_api_key.app', id: 'name=app' }], keys))).toEqual([]);
    expect(messagesOf(await reading([{ to: 'keyplane_api_key.app', id: '7' }], keys))).toEqual([
      'terraform.not-supported keyplane_api_key.app: A key that is imported by its ID keeps its name, and the construct gives it a former one.',
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import type { ManifestReading } from '../../src/manifest/index.ts';
import { readFiles, readText } from '../manifest/scratch.ts';
import { from, messagesOf, outputOf, readKey, readStacks, stackOf } from './synthesized.ts';

const keysOf = ({ manifest, diagnostics }: ManifestReading) => {
  expect(diagnostics).toEqual([]);
  return manifest?.desired.keys.map(({ place: _, ...key }) => key) ?? [];
};

/** Attributes of Terraform, and the same fields of a manifest. */
const SAME: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{}, '{}'],
  [{ enabled: false }, '{ enabled: false }'],
  [{ enabled: '${false}' }, '{ enabled: false }'],
  [{ group: 'vip', cross_group_retry: true }, '{ group: vip, crossGroupRetry: true }'],
  [{ group: null, models: null, budget: null }, '{}'],
  [{ group: '' }, '{ group: "" }'],
  [{ models: ['b', 'a'] }, '{ models: [a, b] }'],
  [{ models: '${toset(["b", "a"])}' }, '{ models: [a, b] }'],
  [{ group: 1.5, models: [1, true] }, '{ group: "1.5", models: ["1", "true"] }'],
  [{ models: ['any'] }, '{ models: any }'],
  [{ allow_ips: ['10.0.0.0/8', '203.0.113.7'] }, '{ allowIps: [203.0.113.7, 10.0.0.0/8] }'],
  [{ allow_ips: ['anywhere'] }, '{ allowIps: anywhere }'],
  [{ expires_at: '2030-01-01T00:00:00Z' }, '{ expires: 2030-01-01T00:00:00Z }'],
  [{ expires_at: 'never' }, '{ expires: never }'],
  [{ budget: { unlimited: true, usd: null, initial: false } }, '{ budget: unlimited }'],
  [{ budget: { unlimited: '1', initial: '0' } }, '{ budget: unlimited }'],
  [{ budget: { usd: 5, per: 'lifetime', unlimited: '0', initial: '${false}' } }, '{ budget: { usd: 5 } }'],
  [{ budget: { usd: '5', unlimited: '${local.no}', per: '${"lifetime"}', below: null } }, '{ budget: { usd: 5 } }'],
  [{ budget: { usd: '5', initial: '1' } }, '{ budget: { usd: 5, initial: true } }'],
  [{ enabled: '0', cross_group_retry: '1' }, '{ enabled: false, crossGroupRetry: true }'],
  [{ budget: { usd: 25.5, per: 'lifetime' } }, '{ budget: { usd: 25.5 } }'],
  [{ budget: { usd: '${0.1}', per: 'month', unlimited: false } }, '{ budget: { usd: 0.1, per: month } }'],
  [{ budget: { usd: 25, below: { usd: 5, quota: null } } }, '{ budget: { usd: 25, below: { usd: 5 } } }'],
  [{ budget: { quota: 5000, initial: true } }, '{ budget: { quota: 5000, initial: true } }'],
  [{ smart_routing_tiers: '${jsonencode({b = 1, a = ["x"]})}' }, '{ smartRouting: { tiers: { a: [x], b: 1 } } }'],
  [{ smart_routing_tiers: '' }, '{ smartRouting: {} }'],
  [{ smart_routing_tiers: '[{"tier": 1}]' }, '{ smartRouting: { tiers: [{ tier: 1 }] } }'],
  [{ rotation: { every: '90d', overlap: '7d' } }, '{ rotate: { every: 90d, overlap: 7d } }'],
  [
    { rotation: [{ every: '${"90d"}', overlap: '12h', quiet: '30m' }] },
    '{ rotate: { every: 90d, overlap: 12h, quiet: 30m } }',
  ],
  [{ rotation: null }, '{}'],
  [{ rotation: { every: '90d', overlap: '7d', quiet: null } }, '{ rotate: { every: 90d, overlap: 7d } }'],
  [{ depends_on: ['keyplane_api_key.x'], lifecycle: { create_before_destroy: true, ignore_changes: [] } }, '{}'],
];

describe('a key in Terraform JSON', () => {
  test.each(SAME)('%j is the key %s of a manifest', async (attributes, fields) => {
    const manifest = await readText(`version: 1\nkeys:\n  app: ${fields}\n`);
    // The one difference: a manifest enables a key by default, and Terraform leaves its status unmanaged.
    const same = keysOf(manifest).map(({ enabled, ...key }) => ('enabled' in attributes ? { ...key, enabled } : key));
    expect(keysOf(await readKey(attributes, { locals: { no: '0' } }))).toEqual(same);
  });

  test.each(['rotate_when_changed', 'on_destroy'])('is read without `%s`, and a warning names it', async (name) => {
    const reading = await readKey({ [name]: name === 'on_destroy' ? 'disable' : { a: '1' } });
    expect(reading.diagnostics).toMatchObject([
      { severity: 'warning', message: `The attribute \`${name}\` of a key has no effect here.` },
    ]);
    expect(reading.manifest?.desired.keys).toHaveLength(1);
  });

  test('keeps every digit of its dollars', async () => {
    const text = JSON.stringify(stackOf({ app: { name: 'app', budget: { usd: 'USD', per: 'lifetime' } } }));
    const files = { 'a.tf.json': text.replace('"USD"', '0.100000000000000005') };

    const [key] = keysOf(await readFiles(files));
    expect(key?.budget).toEqual({ kind: 'lifetime', amount: { usd: { digits: 100000000000000005n, scale: 18 } } });
  });

  test('has the place of its block and the construct that wrote it', async () => {
    const { manifest } = await readKey({ group: 'vip' });
    expect(manifest?.desired.keys[0]?.place).toMatchObject({
      file: 'cdktf.out/stacks/prod/cdk.tf.json',
      construct: 'prod/App',
    });
    expect(manifest?.gateway).toEqual({ url: 'http://127.0.0.1:4000', userId: 42 });
  });

  test('without a construct has its address as construct', async () => {
    const { manifest } = await readStacks({ prod: stackOf({ app: { name: 'app' } }) });
    expect(manifest?.desired.keys[0]?.place?.construct).toBe('keyplane_api_key.app');
  });

  test('is made once for each element of a map, a set or a count', async () => {
    const reading = await readStacks({
      prod: stackOf({
        set: from('prod/set', { for_each: '${toset(["y", "x"])}', name: 'set-${each.value}' }),
        map: from('prod/map', {
          for_each: { a: { usd: 5, models: ['m1'] }, b: { usd: 7, models: ['m2'] } },
          name: 'map-${each.key}',
          budget: { usd: '${each.value.usd}', per: 'lifetime' },
          models: '${each.value.models}',
        }),
        count: from('prod/count', { count: 2, name: 'count-${count.index}' }),
        none: from('prod/none', { count: '${0}', name: 'none' }),
      }),
    });
    const places = reading.manifest?.desired.keys.map(({ name, place }) => [name, place?.construct]);
    expect(places).toEqual([
      ['count-0', 'prod/count[0]'],
      ['count-1', 'prod/count[1]'],
      ['map-a', 'prod/map["a"]'],
      ['map-b', 'prod/map["b"]'],
      ['set-x', 'prod/set["x"]'],
      ['set-y', 'prod/set["y"]'],
    ]);
    expect(keysOf(reading)[3]).toMatchObject({ models: ['m2'], budget: { amount: { usd: { digits: 7n, scale: 0 } } } });
  });

  test('refers to locals, variables and attributes of other keys', async () => {
    const reading = await readStacks({
      prod: stackOf(
        {
          a: from('prod/a', { name: 'a', enabled: true, budget: { usd: 5, per: 'month' }, allow_ips: '${local.ips}' }),
          b: from('prod/b', {
            name: '${keyplane_api_key.a.name}-b',
            budget: '${keyplane_api_key.a.budget}',
            allow_ips: '${keyplane_api_key.a.allow_ips}',
            group: '${var.group}',
            enabled: '${keyplane_api_key.a.enabled}',
          }),
          many: from('prod/many', { for_each: { x: 'gx' }, name: 'many-${each.key}', group: '${each.value}' }),
          c: from('prod/c', { name: 'c', group: '${keyplane_api_key.many["x"].group}' }),
          each: from('prod/each', {
            for_each: '${keyplane_api_key.many}',
            name: '${each.value.name}-again',
          }),
        },
        {
          locals: { ips: ['${local.ten}'], ten: '10.0.0.0/8' },
          variable: { group: { type: 'string', default: 'vip' }, unused: { type: 'string' } },
        },
      ),
    });
    const byName = new Map(keysOf(reading).map((key) => [String(key.name), key]));
    expect([...byName.keys()]).toEqual(['a', 'a-b', 'c', 'many-x', 'many-x-again']);
    expect(byName.get('a-b')).toMatchObject({
      budget: byName.get('a')?.budget,
      allowIps: ['10.0.0.0/8'],
      group: 'vip',
    });
    expect(byName.get('c')).toMatchObject({ group: 'gx' });
  });

  test('renames another key by the comment of its construct, or by an import of a name', async () => {
    const keyplane = (more: object) => ({ '//': { keyplane: more } });
    const reading = await readKey(keyplane({ renamedFrom: 'old' }), {
      resource: {
        keyplane_api_key: {
          app: { name: 'app', ...keyplane({ renamedFrom: 'old' }) },
          b: { name: 'b' },
          c: { name: 'c' },
          many: { for_each: { x: 1 }, name: 'm-${each.key}' },
        },
      },
      import: [
        { to: '${keyplane_api_key.b}', id: 'name=old-b' },
        { to: 'keyplane_api_key.c', id: 'name=c' },
        { to: 'keyplane_api_key.many["x"]', id: 'name=old-m' },
      ],
    });
    expect(keysOf(reading).map(({ name, renamedFrom }) => [name, renamedFrom])).toEqual([
      ['app', 'old'],
      ['b', 'old-b'],
      ['c', undefined],
      ['m-x', 'old-m'],
    ]);
  });

  test('with `prevent_destroy` is protected, in addition to the ownership of a manifest', async () => {
    const files = { 'ownership.yaml': 'version: 1\nownership: { scope: "*", prune: delete, protect: root }\n' };

    const kept = { lifecycle: { prevent_destroy: true } };
    const stacks = {
      prod: stackOf({ a: { name: 'a', ...kept }, b: { name: 'b', lifecycle: [{ prevent_destroy: false }] } }),
      staging: stackOf({ c: { name: 'c', lifecycle: { prevent_destroy: '1' } } }),
    };
    const reading = await readFiles({ ...outputOf(stacks), ...files }, { paths: ['cdktf.out', 'ownership.yaml'] });
    expect(messagesOf(reading)).toEqual([]);
    expect(reading.manifest?.desired.ownership).toEqual({ scope: ['*'], prune: 'delete', protect: ['root', 'a', 'c'] });
    expect(reading.manifest?.desired.keys.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });
});

describe('names', () => {
  test('with the manifest’s references are not replaced', async () => {
    const reading = await readKey({ group: '$${env:HOME}' }, {}, { env: { HOME: '/x' } });
    expect(keysOf(reading)[0]?.group).toBe('${env:HOME}');
  });

  test.each(['${env:HOME}', '${file:name.txt}'])('of keys such as %s get a warning', async (name) => {
    const reading = await readKey({ name: `$${name}` }, {}, { env: { HOME: '/x' } });
    expect(reading.manifest?.desired.keys.map((key) => key.name)).toEqual([name]);
    expect(reading.diagnostics).toMatchObject([
      {
        code: 'manifest.invalid-name',
        severity: 'warning',
        message: 'Keyplane does not replace references in names.',
        place: { construct: 'prod/App', file: 'cdktf.out/stacks/prod/cdk.tf.json' },
      },
    ]);
  });

  test('of members of objects are ordinary names', async () => {
    const text = `{ "provider": { "keyplane": {} }, "resource": { "keyplane_api_key": {
      "__proto__": { "name": "__proto__" }, "constructor": { "name": "\${local.__proto__}" } } },
      "locals": { "__proto__": "toString" } }`;

    expect(keysOf(await readFiles({ 'a.tf.json': text })).map(({ name }) => name)).toEqual(['__proto__', 'toString']);
  });
});

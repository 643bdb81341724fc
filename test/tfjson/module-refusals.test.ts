import { describe, expect, test } from 'vitest';
import { type ReadOptions, readFiles } from '../manifest/scratch.ts';
import { from, messagesOf, outputOf, readKey, readStacks, stackOf } from './synthesized.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Invalid modules, and their diagnostics. */
const MODULES: readonly (readonly [string, Fields, string])[] = [
  [
    'a module',
    { module: { m: { source: './m' } } },
    'terraform.not-supported -: Keyplane does not read `module` blocks: their keys would be missing.',
  ],
  [
    'an unknown block',
    { resources: {} },
    'terraform.not-supported -: Keyplane does not read `resources` blocks: their keys would be missing.',
  ],
  [
    'an import that does not identify a key',
    { import: [{ to: '${keyplane_api_key.app}', id: 'app' }] },
    'terraform.not-supported -: The import does not identify a key.',
  ],
  [
    'two default providers',
    { provider: { keyplane: [{ user_id: 1 }, { user_id: 2 }] } },
    'manifest.syntax -: "provider.keyplane" is declared twice in one module.',
  ],
  [
    'two providers of one alias',
    {
      provider: [
        { keyplane: { user_id: 1 } },
        { keyplane: { alias: 'eu', user_id: 2 } },
        { keyplane: { alias: 'eu', user_id: 3 } },
      ],
    },
    'manifest.syntax -: "provider.keyplane.eu" is declared twice in one module.',
  ],
  ...['other/keyplane', 'registry.terraform.io/hashicorp/keyplane', 'x/y/keyplane/keyplane', 7].map(
    (source) =>
      [
        `keys of the provider ${source}`,
        { terraform: { required_providers: [{ keyplane: { source } }] } },
        'terraform.not-supported -: The provider `keyplane` of this module is not Keyplane’s.',
      ] as const,
  ),
  ['a string for a block', { locals: 'x' }, 'manifest.wrong-type -: Terraform requires a block here.'],
  [
    'an unknown setting of its provider',
    { provider: { keyplane: { token: 'x', url: 'http://x' } } },
    'manifest.unknown-field -: Unknown attribute "token".',
  ],
  [
    'a user without a value',
    { provider: { keyplane: { user_id: '${var.user}' } }, variable: { user: {} } },
    'terraform.unresolved -: `var.user` has no default: its value is known to Terraform only.',
  ],
];

describe('a module with', () => {
  test.each(MODULES)('%s is refused', async (_, more, expected) => {
    const reading = await readKey({}, more);
    expect(messagesOf(reading)).toEqual([expected]);
    expect(reading.manifest).toBeUndefined();
  });

  test('variables from other sources is refused where one of them is used', async () => {
    const key = JSON.stringify(
      stackOf({ app: { name: 'app', group: '${var.g}' } }, { variable: { g: { default: 'a' } } }),
    );
    const messages = (reading: Awaited<ReturnType<typeof readFiles>>) =>
      reading.diagnostics.map(({ message }) => message);
    expect(
      messages(await readFiles({ 'm/a.tf.json': key, 'm/terraform.tfvars': 'g = "b"' }, { paths: ['m'] })),
    ).toEqual(['`var.g` may differ from its default: Terraform would read `terraform.tfvars`.']);
    expect(
      messages(await readFiles({ 'm/a.tf.json': key, 'm/x.auto.tfvars.json': '{}' }, { paths: ['m'] })),
    ).toHaveLength(1);
    expect(messages(await readFiles({ 'm/a.tf.json': key }, { paths: ['m'], env: { TF_VAR_g: 'b' } }))).toEqual([
      '`var.g` may differ from its default: Terraform would read `TF_VAR_g`.',
    ]);
    expect(
      messages(await readFiles({ 'm/a.tf.json': key, 'm/other.json': '{}' }, { paths: ['m'], env: { TF_VAR_h: 'b' } })),
    ).toEqual([]);
  });

  test.each([
    ['main.tf', 'declared in Terraform’s own language'],
    ['main.tofu', 'declared in Terraform’s own language'],
    ['a.tofu.json', 'OpenTofu'],
    ['override.tf.json', 'override file'],
    ['b_override.tf.json', 'override file'],
    ['ownership.yaml', 'not both'],
  ])('%s next to it is refused, but not if the file is read separately', async (name, why) => {
    const files = { 'm/a.tf.json': JSON.stringify(stackOf({ app: { name: 'app' } })), [`m/${name}`]: '{}' };
    const { diagnostics, manifest } = await readFiles(files, { paths: ['m'] });
    expect(manifest).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ code: 'terraform.not-supported', place: { file: `m/${name}` } });
    expect(diagnostics[0]?.message).toContain(why);
    expect((await readFiles(files, { paths: ['m/a.tf.json'] })).diagnostics).toEqual([]);
  });

  test('one thing twice in its files is refused, with both places', async () => {
    const [a, b] = ['a', 'b'].map((name) =>
      JSON.stringify({ locals: { x: 1 }, resource: { keyplane_api_key: { app: { name } } } }),
    );
    const { diagnostics } = await readFiles({ 'm/a.tf.json': a ?? '', 'm/b.tf.json': b ?? '' }, { paths: ['m'] });
    expect(diagnostics.map(({ message, related }) => [message, related?.[0]?.place.file])).toEqual([
      ['"x" is declared twice in one module.', 'm/a.tf.json'],
      ['"keyplane_api_key.app" is declared twice in one module.', 'm/a.tf.json'],
    ]);
  });

  test('two default providers in two files is refused', async () => {
    const [a, b] = [1, 2].map((user_id) => JSON.stringify({ provider: { keyplane: { user_id } } }));
    const { diagnostics } = await readFiles({ 'm/a.tf.json': a ?? '', 'm/b.tf.json': b ?? '' }, { paths: ['m'] });
    expect(diagnostics.map(({ message, related }) => [message, related?.[0]?.place.file])).toEqual([
      ['"provider.keyplane" is declared twice in one module.', 'm/a.tf.json'],
    ]);
  });

  test('a registry before the name of its provider is read', async () => {
    const keyplane = { source: 'registry.terraform.io/keyplane/keyplane' };
    expect(messagesOf(await readKey({}, { terraform: { required_providers: { keyplane } } }))).toEqual([]);
  });

  test('two keys of one name, in whichever stack, is refused with both places', async () => {
    const stack = (name: string, path: string) => stackOf({ app: from(path, { name }) });
    const { diagnostics } = await readStacks({ prod: stack('app', 'prod/App'), staging: stack('App', 'staging/App') });
    expect(diagnostics).toMatchObject([
      {
        code: 'manifest.duplicate-key',
        place: { construct: 'staging/App' },
        related: [{ place: { construct: 'prod/App' } }],
      },
    ]);
  });
});

describe('a synthesized stack', () => {
  const files = outputOf({ prod: stackOf({ app: { name: 'app' } }) });
  const read = (changed: Readonly<Record<string, string>>, options: ReadOptions = {}) =>
    readFiles({ ...files, ...changed }, { paths: ['cdktf.out'], ...options });
  const manifest = (stack: Fields) => ({ 'cdktf.out/manifest.json': JSON.stringify({ stacks: { prod: stack } }) });

  test.each([
    ['../elsewhere/cdk.tf.json'],
    ['stacks/../../cdk.tf.json'],
    ['/etc/cdk.tf.json'],
    ['stacks/prod/cdk.tf'],
    [7],
  ])('at %j is refused', async (synthesizedStackPath) => {
    const { diagnostics } = await read(manifest({ synthesizedStackPath }));
    expect(diagnostics).toMatchObject([
      { code: 'terraform.not-supported', message: 'Keyplane cannot read the stack "prod" at this path.' },
    ]);
  });

  test('that does not exist is refused', async () => {
    const { diagnostics } = await read(manifest({ synthesizedStackPath: 'stacks/gone/cdk.tf.json' }));
    expect(diagnostics).toMatchObject([
      { code: 'manifest.unreadable', place: { file: 'cdktf.out/stacks/gone/cdk.tf.json' } },
    ]);
  });

  test('that the output does not have is refused', async () => {
    const { diagnostics } = await read({ 'cdktf.out/manifest.json': '{ "stacks": {} }' });
    expect(diagnostics).toMatchObject([{ code: 'manifest.no-files' }]);
  });

  test('without keys and without a provider of Keyplane is refused', async () => {
    const { diagnostics } = await readStacks({ prod: { output: {} }, staging: { locals: {} } });
    expect(diagnostics).toMatchObject([{ code: 'manifest.missing-field', found: '2 modules without any' }]);
    const reading = await readStacks({ prod: stackOf({}) });
    expect(reading.manifest?.desired.keys).toEqual([]);
  });

  test('with an error annotation of a construct is refused, and its warnings are shown', async () => {
    const annotation = (level: string) => ({
      constructPath: 'prod/App',
      level: `@cdktf/${level}`,
      message: `${level}!`,
    });
    const annotations = ['info', 'warn', 'error'].map(annotation);
    const reading = await readFiles(outputOf({ prod: stackOf({ app: { name: 'app' } }) }, { annotations }), {
      paths: ['cdktf.out'],
    });
    expect(reading.diagnostics.map(({ severity, message, place }) => [severity, message, place?.construct])).toEqual([
      ['warning', 'warn!', 'prod/App'],
      ['error', 'error!', 'prod/App'],
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { readFiles } from '../manifest/scratch.ts';
import { from, messagesOf, outputOf, readKey, readStacks, stackOf } from './synthesized.ts';

type Fields = Readonly<Record<string, unknown>>;

const KEY = { key_id: '${keyplane_api_key.app.id}' };

const withChecks = (checks: Fields, more: Fields = {}) => readKey({}, { data: { keyplane_check: checks }, ...more });

describe('a check in Terraform JSON', () => {
  test('is one that its key selects', async () => {
    const { manifest, diagnostics } = await withChecks(
      {
        pong: from('prod/pong', {
          ...KEY,
          module: 'chat',
          model: 'alpha-chat-1',
          request: '${jsonencode({max_tokens = 5, temperature = 0.5})}',
          expect: {
            contains: ['pong'],
            max_latency_ms: 1000,
            json_schema: '${jsonencode({type = "object"})}',
            max_cost_usd: 0.01,
            audio: null,
          },
          retries: 2,
          timeout: '30s',
          lifecycle: { postcondition: [{ condition: '${self.passed}', error_message: '${self.message}' }] },
        }),
      },
      { check: { pong: { assert: [{ condition: '${data.keyplane_check.pong.passed}', error_message: 'x' }] } } },
    );
    expect(diagnostics).toEqual([]);
    expect(manifest?.checks).toMatchObject([
      {
        name: 'pong',
        module: 'chat',
        model: 'alpha-chat-1',
        request: { max_tokens: 5, temperature: 0.5 },
        expect: { contains: ['pong'], maxLatencyMs: 1000, jsonSchema: { type: 'object' }, maxCost: '0.01' },
        retries: 2,
        timeoutMs: 30_000,
        folder: expect.stringMatching(/cdktf\.out\/stacks\/prod$/),
        place: { construct: 'prod/pong' },
      },
    ]);
    expect([...(manifest?.selections ?? [])]).toEqual([['app', ['pong']]]);
  });

  test('is of each key that its instances name', async () => {
    const keys = { many: { for_each: { x: 1, y: 2 }, name: 'many-${each.key}' } };
    const checks = {
      each: { for_each: '${keyplane_api_key.many}', key_id: '${each.value.id}', module: 'chat' },
      x: { key_id: '${keyplane_api_key.many["x"].id}', module: 'embeddings' },
    };
    const { manifest, diagnostics } = await readStacks({ prod: stackOf(keys, { data: { keyplane_check: checks } }) });
    expect(diagnostics).toEqual([]);
    expect([...(manifest?.selections ?? [])]).toEqual([
      ['many-x', ['each-x', 'x']],
      ['many-y', ['each-y']],
    ]);
  });

  test('has the name that its construct gives it, else the end of that of its block', async () => {
    const { manifest } = await withChecks({
      a: { ...KEY, module: 'chat', '//': { keyplane: { name: 'replies with pong' } } },
      [`${'x'.repeat(40)}_Checkout_pong`]: { ...KEY, module: 'chat' },
      chat: { ...KEY, module: 'chat' },
      image: { ...KEY, module: 'chat' },
      inference: { ...KEY, module: 'chat' },
    });
    expect(manifest?.checks.map(({ name }) => name)).toEqual([
      'chat',
      'image-check',
      'inference-check',
      'replies with pong',
      `${'x'.repeat(36)}_Checkout_pong`,
    ]);
  });

  test('that another stack has under the same name gets the name of its stack', async () => {
    const stack = (name: string, model: string) =>
      stackOf(
        { app: { name } },
        {
          data: {
            keyplane_check: {
              pong: { ...KEY, module: 'chat', model },
              own: { ...KEY, module: 'chat', '//': { keyplane: { name: `own-${name}` } } },
            },
          },
        },
      );
    const { manifest, diagnostics } = await readStacks({ prod: stack('a', 'm1'), staging: stack('b', 'm2') });
    expect(diagnostics).toEqual([]);
    expect([...(manifest?.selections ?? [])]).toEqual([
      ['a', ['own-a', 'prod-pong']],
      ['b', ['own-b', 'staging-pong']],
    ]);
  });

  test('that is costly runs when costly ones do', async () => {
    const { manifest } = await withChecks({
      film: { ...KEY, module: 'video', costly: true },
      pong: { ...KEY, module: 'chat', costly: false },
    });
    expect(manifest?.checks.map(({ name, schedule }) => [name, schedule])).toEqual([
      ['film', 'costly'],
      ['pong', undefined],
    ]);
  });

  test('is validated', async () => {
    const reading = await withChecks({
      a: from('prod/a', { ...KEY, module: 'chatt' }),
      b: from('prod/b', { ...KEY, module: 'chat', expect: { max_latency: 1 } }),
    });
    expect(messagesOf(reading)).toEqual([
      'manifest.invalid-value prod/a: Invalid value for `module`.',
      'manifest.unknown-field prod/b: Unknown attribute "max_latency".',
    ]);
  });

  test.each([
    ['an unknown argument', { modle: 'x' }, 'manifest.unknown-field prod/a: Unknown attribute "modle".'],
    ['no value for its module', { module: null }, 'manifest.missing-field prod/a: The check has no `module`.'],
    ['a module that is null', { module: '${null}' }, 'manifest.missing-field prod/a: The check has no `module`.'],
    [
      'a schema that is not JSON',
      { expect: { json_schema: 'x' } },
      'manifest.invalid-value prod/a: `expect.json_schema` is not valid JSON.',
    ],
    [
      'an unresolved expression',
      { model: '${data.a_b.c.d}' },
      'terraform.unresolved prod/a: Keyplane does not know `data.a_b.c.d`: only Terraform reads other resources.',
    ],
  ])('with %s is refused', async (_, fields, expected) => {
    const reading = await withChecks({ a: from('prod/a', { ...KEY, module: 'chat', ...fields }) });
    expect(messagesOf(reading)).toEqual([expected]);
    expect(reading.manifest).toBeUndefined();
  });
});

describe('a warning about something ignored', () => {
  const one = async (more: Fields) => {
    const reading = await readKey({}, more);
    expect(reading.manifest?.desired.keys).toHaveLength(1);
    return reading.diagnostics.map(({ code, severity, message, found }) => [code, severity, message, found]);
  };
  const warning = (message: string, found: string) => [['terraform.left-out', 'warning', message, found]];

  test('lists the types of all ignored blocks', async () => {
    const more = {
      ephemeral: { keyplane_api_key_secret: { s: {} } },
      data: { aws_caller_identity: { me: {} }, keyplane_models: { all: {} } },
      removed: { from: 'x.y' },
      action: { keyplane_check: { now: {} } },
      moved: [{ from: 'a.b', to: 'a.c' }],
      output: { id: { value: '${keyplane_api_key.app.id}' } },
    };
    expect(await one(more)).toEqual(
      warning(
        'Keyplane ignores some of the blocks; Terraform applies them.',
        '`action.keyplane_check`, `data.aws_caller_identity`, `data.keyplane_models`, `ephemeral.keyplane_api_key_secret`, `removed`',
      ),
    );
  });

  test('is omitted for stacks without keys', async () => {
    const network = { resource: { aws_vpc: { main: {} } }, provider: { aws: {} } };
    const { diagnostics, manifest } = await readStacks({ network, prod: stackOf({ app: { name: 'app' } }) });
    expect(diagnostics).toEqual([]);
    expect(manifest?.desired.keys).toHaveLength(1);
  });

  test('names a check of a key that is not declared here', async () => {
    const check = (key_id: unknown) => ({ data: { keyplane_check: { a: { key_id, module: 'chat' } } } });
    const message = 'Keyplane ignores the check `data.keyplane_check.a`: its key is not declared here.';
    expect(await one(check(7))).toEqual(warning(message, '7'));
    expect(await one(check('${data.keyplane_api_key.x.id}'))).toEqual(
      warning(message, '"${data.keyplane_api_key.x.id}"'),
    );
  });

  test('names an attribute of a check without effect', async () => {
    const data = { keyplane_check: { a: { ...KEY, module: 'chat', max_cost_usd: 1 } } };
    expect(await one({ data })).toEqual(
      warning('The attribute `max_cost_usd` of a check has no effect here.', '`max_cost_usd`'),
    );
  });

  test('names a condition other than `passed`', async () => {
    const condition = (text: string) => ({ condition: text, error_message: 'x' });
    expect(await one({ check: { c: { assert: [condition('${local.x}')] } } })).toEqual(
      warning('Keyplane ignores the `check` block `c`; Terraform evaluates it.', 'a condition other than `passed`'),
    );
    const lifecycle = { precondition: condition('${true}') };
    expect(await one({ data: { keyplane_check: { a: { ...KEY, module: 'chat', lifecycle } } } })).toEqual(
      warning(
        'Keyplane ignores a condition of `data.keyplane_check.a`; Terraform evaluates it.',
        'a condition other than `passed`',
      ),
    );
  });

  test('lists settings of the provider that commands have options for', async () => {
    const keyplane = {
      url: 'http://127.0.0.1:4000',
      user_id: 42,
      timeout: '5s',
      allow_unknown_models: true,
      ca_file: null,
    };
    const { diagnostics } = await readKey({}, { provider: { keyplane } });
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        found: '`timeout`, `allow_unknown_models`',
        hint: 'Pass the settings to each command instead.',
      },
    ]);
  });
});

describe('accounts', () => {
  const stack = (name: string, provider: Fields | readonly Fields[], key: Fields = {}) =>
    stackOf({ app: from(`${name}/App`, { name, ...key }) }, { provider: { keyplane: provider } });

  test('of several stacks are refused together, and all of them are listed', async () => {
    const { diagnostics } = await readStacks({
      prod: stack('prod', { url: 'https://g.example', user_id: 1 }),
      staging: stack('staging', { url: 'https://g.example', user_id: 2 }),
      dev: stack('dev', {}),
    });
    expect(diagnostics).toMatchObject([
      {
        code: 'terraform.several-accounts',
        found:
          'cdktf.out/stacks/prod: user 1 at https://g.example; cdktf.out/stacks/staging: user 2 at https://g.example; cdktf.out/stacks/dev: user (from the environment) at (from the environment)',
        hint: 'Read one stack at a time: `cdktf.out/stacks/NAME`. Leave two accounts in one stack to Terraform.',
      },
    ]);
  });

  test('of several stacks may have keys with one name', async () => {
    const { diagnostics } = await readStacks({
      prod: stack('prod', { user_id: 1 }, { name: 'app' }),
      staging: stack('staging', { user_id: 2 }, { name: 'app' }),
      dev: stack('dev', { user_id: 3 }, { name: 'App' }),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['terraform.several-accounts']);
  });

  test.each(['https://G.Example', 'https://g.example/', 'https://g.example:443'])(
    'are the same in every notation of their address: %s',
    async (url) => {
      const prod = stack('prod', { url: 'https://g.example', user_id: 1 });
      const { manifest } = await readStacks({ prod, staging: stack('staging', { url, user_id: 1 }) });
      expect(manifest?.gateway.userId).toBe(1);
      const files = { ...outputOf({ prod }), 'o.yaml': `version: 1\ngateway: { url: "${url}" }\n` };
      const combined = await readFiles(files, { paths: ['cdktf.out', 'o.yaml'] });
      expect(combined.manifest?.gateway.url).toBe('https://g.example');
    },
  );

  test('of one stack alone are read, and so are equal ones', async () => {
    const stacks = {
      prod: stack('prod', { url: 'https://g.example/', user_id: 1 }),
      staging: stack('staging', { url: 'https://g.example', user_id: '${"1"}' }),
      other: stack('other', { user_id: 3 }),
    };
    const alone = await readStacks(stacks, { paths: ['cdktf.out/stacks/other'] });
    expect(alone.manifest?.gateway).toEqual({ userId: 3 });
    const { other: _other, ...equal } = stacks;
    expect((await readStacks(equal)).manifest?.gateway.userId).toBe(1);
  });

  test('are those of the providers that keys use', async () => {
    const providers = [
      { url: 'https://a.example', user_id: 1 },
      { alias: 'b', url: 'https://b.example', user_id: 2 },
    ];
    const reading = await readStacks({ prod: stack('prod', providers, { provider: 'keyplane.b' }) });
    expect(reading.manifest?.gateway).toEqual({ url: 'https://b.example', userId: 2 });
  });

  test('may also be declared by a manifest, if they are equal', async () => {
    const files = outputOf({ prod: stack('prod', { user_id: 1 }) });
    const combined = (gateway: string) =>
      readFiles({ ...files, 'o.yaml': `version: 1\ngateway: ${gateway}\n` }, { paths: ['cdktf.out', 'o.yaml'] });
    expect((await combined('{ url: https://g.example }')).manifest?.gateway).toEqual({
      url: 'https://g.example',
      userId: 1,
    });
    expect((await combined('{ userId: 2 }')).diagnostics).toMatchObject([{ code: 'manifest.conflicting-field' }]);
  });
});

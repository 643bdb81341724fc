import { describe, expect, test } from 'vitest';
import { messagesOf, readKey } from './synthesized.ts';

type Fields = Readonly<Record<string, unknown>>;

const TOKEN = 'very0secret0token';
const PASTED = `sk-${'a1'.repeat(12)}`;

const provider = (access_token: unknown): Fields => ({ provider: { keyplane: { user_id: 1, access_token } } });

describe('an access token', () => {
  test.each<readonly [string, Fields]>([
    ['as a literal', provider(TOKEN)],
    ['as an expression of literals', provider(`\${"${TOKEN}"}`)],
    ['in a local', { ...provider('${local.t}'), locals: { t: TOKEN } }],
    ['in a local that is not evaluated', { ...provider('${local.t}'), locals: { t: `\${foo("${TOKEN}")}` } }],
    ['in a local that cannot be parsed', { ...provider('${local.t}'), locals: { t: `\${foo("${TOKEN}"` } }],
    ['in an argument', { ...provider('${foo(local.t)}'), locals: { t: TOKEN } }],
    ['in a list of a local', { ...provider('${local.l[0].t}'), locals: { l: [{ t: '${local.t}' }], t: TOKEN } }],
    ['as the default of a variable', { ...provider('${var.t}'), variable: { t: { default: TOKEN } } }],
  ])('%s is refused, and never shown', async (_, more) => {
    const reading = await readKey({}, more);
    expect(messagesOf(reading)).toEqual([
      'manifest.secret-in-manifest -: The Terraform JSON contains a value for `access_token`.',
    ]);
    expect(JSON.stringify([reading.diagnostics, ...reading.sources])).not.toContain(TOKEN);
  });

  test.each<readonly [string, Fields, string]>([
    ['a local', { locals: { t: `\${foo("${TOKEN}")}` } }, '`local.t` holds a credential of the provider.'],
    ['a literal', { locals: { t: TOKEN } }, '`local.t` holds a credential of the provider.'],
    [
      'a part of one',
      { locals: { t: `${TOKEN}-\${var.x}` }, variable: { x: {} } },
      'Keyplane cannot evaluate a value that a credential of the provider is made of.',
    ],
  ])('in %s is not shown where that is used for something else', async (_, more, expected) => {
    const reading = await readKey({ name: 'a-${local.t}'.repeat(9) }, { ...provider('${local.t}'), ...more });
    expect(messagesOf(reading)).toContain(`terraform.unresolved prod/App: ${expected}`);
    expect(JSON.stringify([reading.diagnostics, ...reading.sources])).not.toContain(TOKEN);
    expect(reading.manifest).toBeUndefined();
  });

  test.each<readonly [string, Fields]>([
    ['a variable without a default', { ...provider('${var.t}'), variable: { t: { sensitive: true } } }],
    ['an ephemeral value', provider('${ephemeral.vault_secret.t.value}')],
    ['nothing', provider(null)],
  ])('that refers to %s is left to the environment', async (_, more) => {
    const reading = await readKey({}, more);
    expect(messagesOf(reading)).toEqual([]);
    expect(reading.manifest?.gateway).toEqual({ userId: 1 });
  });
});

test.each<readonly [string, Fields]>([
  ['a literal', { provider: { keyplane: { user_id: 1, models_key: TOKEN } } }],
  ['a local', { provider: { keyplane: { user_id: 1, models_key: '${local.t}' } }, locals: { t: TOKEN } }],
])('the API key for models in %s is refused, and never shown', async (_, more) => {
  const reading = await readKey({}, more);
  expect(messagesOf(reading)).toEqual([
    'manifest.secret-in-manifest -: The Terraform JSON contains a value for `models_key`.',
  ]);
  expect(JSON.stringify([reading.diagnostics, ...reading.sources])).not.toContain(TOKEN);
});

test('the API key for models from a variable is left to the environment', async () => {
  const more = { provider: { keyplane: { user_id: 1, models_key: '${var.t}' } }, variable: { t: { sensitive: true } } };
  expect(messagesOf(await readKey({}, more))).toEqual([]);
});

test('an API key in a local is refused where it is used, and never shown', async () => {
  const reading = await readKey({ group: '${local.g}' }, { locals: { g: PASTED }, output: { x: { value: PASTED } } });
  expect(messagesOf(reading)).toEqual([
    'manifest.secret-in-manifest prod/App: The Terraform JSON contains what looks like a credential.',
  ]);
  expect(JSON.stringify([reading.diagnostics, ...reading.sources])).not.toContain(PASTED);
});

describe('an API key', () => {
  const escaped = JSON.stringify({ a: [PASTED] }).replace('sk-', '\\u0073k-');
  const check = (fields: Fields) => ({
    data: { keyplane_check: { a: { key_id: '${keyplane_api_key.app.id}', module: 'chat', ...fields } } },
  });
  test.each<readonly [string, Fields, Fields]>([
    ['tiers', { smart_routing_tiers: escaped }, {}],
    ['names of tiers', { smart_routing_tiers: `{"\\u0073k-${PASTED.slice(3)}": 1}` }, {}],
    ['a request', {}, check({ request: escaped })],
    ['a schema', {}, check({ expect: { json_schema: escaped } })],
  ])('that is escaped in %s is refused', async (_, fields, more) => {
    const reading = await readKey(fields, more);
    expect(reading.diagnostics.map(({ code }) => code)).toEqual(['manifest.secret-in-manifest']);
    expect(JSON.stringify([reading.diagnostics, ...reading.sources])).not.toContain(PASTED.slice(3));
  });

  test('in the label of a check is refused, however long', async () => {
    const label = `${PASTED}${'b2'.repeat(20)}`;
    const data = { keyplane_check: { [label]: { key_id: '${keyplane_api_key.app.id}', module: 'chat' } } };
    const reading = await readKey({}, { data });
    expect(reading.diagnostics.map(({ code }) => code)).toContain('manifest.secret-in-manifest');
    expect(JSON.stringify([reading.diagnostics, ...reading.sources])).not.toContain('b2b2');
  });
});

test('a secret in the key of an instance is blanked in its construct', async () => {
  const reading = await readKey({ for_each: { [PASTED]: 1 }, name: 'app' });
  expect(reading.manifest?.desired.keys[0]?.place?.construct).toBe(`prod/App["${'•'.repeat(PASTED.length)}"]`);
});

test('secrets of other providers are blanked in the sources', async () => {
  const data = { aws_db_instance: { db: { password: TOKEN, name: 'db' } } };
  const reading = await readKey({}, { data, provider: { keyplane: {}, other: { api_key: TOKEN } } });
  expect(reading.manifest).toBeDefined();
  expect(JSON.stringify([reading.diagnostics, ...reading.sources])).not.toContain(TOKEN);
  expect([...reading.sources.values()].join('')).toContain('"name": "db"');
});

import { describe, expect, test } from 'vitest';
import { readFiles } from '../manifest/scratch.ts';
import { from, messagesOf, readKey, stackOf } from './synthesized.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Invalid keys, and their diagnostics, which always name the construct. */
const KEYS: readonly (readonly [string, Fields, string])[] = [
  [
    'a function',
    { group: '${timestamp()}' },
    'terraform.unresolved prod/App: Keyplane does not evaluate the function `timestamp`.',
  ],
  [
    'a budget that does not state when it refills',
    { budget: { usd: 5, initial: false } },
    'manifest.invalid-value prod/App: `budget.per`: The budget does not state when it refills.',
  ],
  [
    'an attribute that the gateway computes',
    { group: '${keyplane_api_key.app.status}' },
    'terraform.unresolved prod/App: Keyplane does not know `keyplane_api_key.app.status`: only the gateway knows it.',
  ],
  [
    'an attribute that its block omits',
    { group: '${keyplane_api_key.app.expires_at}' },
    'terraform.unresolved prod/App: Keyplane does not know `keyplane_api_key.app.expires_at`: its block omits it, so the gateway decides.',
  ],
  [
    'an unknown attribute in a reference',
    { group: '${keyplane_api_key.app.secret}' },
    'terraform.unresolved prod/App: A key does not have the attribute `secret`.',
  ],
  [
    'itself',
    { group: '${keyplane_api_key.app.group}' },
    'terraform.unresolved prod/App: `keyplane_api_key.app.group` refers to itself: keyplane_api_key.app.group → keyplane_api_key.app.group.',
  ],
  [
    'another resource',
    { group: '${random_pet.team.id}' },
    'terraform.unresolved prod/App: Keyplane does not know `random_pet.team.id`: only Terraform reads other resources.',
  ],
  [
    'a data source',
    { models: '${data.keyplane_models.all.ids}' },
    'terraform.unresolved prod/App: Keyplane does not know `data.keyplane_models.all.ids`: only Terraform reads other resources.',
  ],
  [
    'a whole resource',
    { group: '${keyplane_api_key.app}' },
    'terraform.unresolved prod/App: `keyplane_api_key.app` is a whole resource.',
  ],
  [
    'a variable without a default',
    { group: '${var.unset}' },
    'terraform.unresolved prod/App: `var.unset` has no default: its value is known to Terraform only.',
  ],
  [
    'a variable of another type',
    { group: '${var.shaped.a}' },
    'terraform.unresolved prod/App: Keyplane does not evaluate variables of the type `object({ a = string })`.',
  ],
  [
    'locals that refer to each other',
    { group: '${local.a}' },
    'terraform.unresolved prod/App: `local.a` refers to itself: local.a → local.b → local.a.',
  ],
  [
    'a list for `for_each`',
    { for_each: ['a'] },
    'terraform.unresolved prod/App: `for_each` cannot iterate over a list.',
  ],
  [
    'a set of numbers for `for_each`',
    { for_each: '${toset([1])}' },
    'terraform.unresolved prod/App: Keyplane evaluates sets of strings only.',
  ],
  [
    'both `for_each` and `count`',
    { for_each: {}, count: 1 },
    'terraform.unresolved prod/App: `for_each` and `count` exclude each other.',
  ],
  ['half a key', { count: 1.5 }, 'terraform.unresolved prod/App: `count` must be a whole number of 0 or more.'],
  ['a million keys', { count: 1_000_000 }, 'terraform.unresolved prod/App: The block makes more than 10000 resources.'],
  [
    'a number of the CDK in its name',
    { name: 'prod-n--8.109562212591397e+298' },
    'terraform.unresolved prod/App: The string contains a number token of the CDK, converted to a string before its value was known.',
  ],
  [
    'a token of the CDK',
    { group: '${TfToken[TOKEN.3]}' },
    'terraform.unresolved prod/App: The CDK did not resolve one of its tokens.',
  ],
  [
    '`ignore_changes`',
    { lifecycle: { ignore_changes: ['budget'] } },
    'terraform.not-supported prod/App: Only Terraform applies `ignore_changes` to a key.',
  ],
  [
    '`replace_triggered_by`',
    { lifecycle: [{ replace_triggered_by: ['x.y'] }] },
    'terraform.not-supported prod/App: Only Terraform applies `replace_triggered_by` to a key.',
  ],
  [
    'a precondition',
    { lifecycle: { precondition: [{ condition: '${true}', error_message: 'x' }] } },
    'terraform.not-supported prod/App: Only Terraform applies `precondition` to a key.',
  ],
  [
    'a provisioner',
    { provisioner: [{ 'local-exec': { command: 'x' } }] },
    'terraform.not-supported prod/App: Only Terraform applies `provisioner` to a key.',
  ],
  ...[1, 'yes', null, [true], '${true}'].map(
    (prevent_destroy) =>
      [
        `${JSON.stringify(prevent_destroy)} for \`prevent_destroy\``,
        { lifecycle: { prevent_destroy } },
        'manifest.wrong-type prod/App: Invalid value for `prevent_destroy`.',
      ] as const,
  ),
  [
    'a misspelt protection',
    { lifecycle: { prevent_destory: true } },
    'manifest.unknown-field prod/App: Unknown attribute "prevent_destory".',
  ],
  [
    'two blocks `lifecycle`',
    { lifecycle: [{ create_before_destroy: true }, { prevent_destroy: true }] },
    'manifest.syntax prod/App: The key has two `lifecycle` blocks.',
  ],
  [
    'an undeclared provider',
    { provider: 'keyplane.other' },
    'terraform.unresolved prod/App: The module does not declare the provider `keyplane.other` of Keyplane.',
  ],
  ['no name', { name: null }, 'manifest.missing-field prod/App: The key has no `name`.'],
  [
    'a generated name',
    { name: null, name_prefix: 'app-' },
    'terraform.not-supported prod/App: The name of the key is generated from `name_prefix`, and only Terraform knows it.',
  ],
  ['an unknown attribute', { modles: ['a'] }, 'manifest.unknown-field prod/App: Unknown attribute "modles".'],
  ['a computed attribute', { id: 7 }, 'manifest.unknown-field prod/App: Unknown attribute "id".'],
  [
    'two equal names',
    { budget: { '${local.u}': 50, usd: 5 } },
    'manifest.syntax prod/App: "usd" occurs twice in one object.',
  ],
  [
    'two equal names in a local',
    { budget: '${local.twice}' },
    'terraform.unresolved prod/App: Two names of an object have the same value.',
  ],
  [
    'a budget that is unlimited and not',
    { budget: { unlimited: true, usd: 5 } },
    'manifest.invalid-value prod/App: `budget.usd`: An unlimited budget cannot have `usd`.',
  ],
  [
    'a budget of two forms',
    { budget: { usd: 5, per: 'month', initial: true } },
    'manifest.invalid-value prod/App: `budget.initial`: `per` and `initial` exclude each other.',
  ],
  ...['no', 5, [false], '${local.five}'].map(
    (unlimited) =>
      [
        `a budget whose \`unlimited\` is ${JSON.stringify(unlimited)}`,
        { budget: { unlimited } },
        'manifest.wrong-type prod/App: Invalid value for `budget.unlimited`.',
      ] as const,
  ),
  ...[{ per: false }, { per: '${local.five}' }].map(
    (part) =>
      [
        `a budget with ${JSON.stringify(part)}`,
        { budget: { usd: 5, ...part } },
        'manifest.invalid-value prod/App: `budget.per`: Invalid window of time.',
      ] as const,
  ),
  ...(
    [
      ['models', 'models', 'any'],
      ['allow_ips', 'allow_ips', 'anywhere'],
      ['smart_routing_tiers', 'smart_routing_tiers', { tiers: [] }],
      ['budget', 'budget', 'unlimited'],
      ['budget.below', 'budget', { usd: 5, below: false }],
      ['budget.usd', 'budget', { usd: false, quota: 5 }],
      ['budget.usd', 'budget', { usd: '$5' }],
      ['budget.initial', 'budget', { usd: 5, initial: 'no' }],
      ['enabled', 'enabled', 'no'],
      ['group', 'group', ['a']],
    ] as const
  ).map(
    ([what, name, value]) =>
      [
        `${JSON.stringify(value)} for \`${name}\``,
        { [name]: value },
        `manifest.wrong-type prod/App: Invalid value for \`${what}\`.`,
      ] as const,
  ),
  [
    'any model and another',
    { models: ['any', 'a'] },
    'manifest.invalid-value prod/App: `models[0]`: The list contains `any`, which lifts the restriction and cannot be an entry.',
  ],
  [
    'anywhere and an address',
    { allow_ips: ['anywhere', '10.0.0.1'] },
    'manifest.invalid-value prod/App: `allow_ips[0]`: The list contains `anywhere`, which lifts the restriction and cannot be an entry.',
  ],
  [
    'an empty list',
    { allow_ips: [] },
    'manifest.empty-allowlist prod/App: `allow_ips`: The list is empty: the gateway treats an empty list as no restriction.',
  ],
  [
    'a wrong range',
    { allow_ips: ['10.1.2.3/8'] },
    'manifest.invalid-ip-rule prod/App: `allow_ips[0]`: Invalid address: the address has bits beyond its /8 prefix.',
  ],
  ['a day alone', { expires_at: '2030-01-01' }, 'manifest.invalid-value prod/App: `expires_at`: Invalid expiry.'],
  [
    'tiers that are not JSON',
    { smart_routing_tiers: 'fast' },
    'manifest.invalid-value prod/App: `smart_routing_tiers` is not valid JSON.',
  ],
  [
    'a rotation with an interval that is not a duration',
    { rotation: { every: '3 months', overlap: '7d' } },
    'manifest.invalid-value prod/App: This is not a duration.',
  ],
  [
    'a rotation whose overlap never ends',
    { rotation: { every: '7d', overlap: '7d' } },
    'manifest.invalid-value prod/App: Such a rotation would leave more than two generations, or none of them time for its checks.',
  ],
  [
    'a rotation without an overlap',
    { rotation: { every: '7d' } },
    'manifest.missing-field prod/App: The rotation has no `overlap`.',
  ],
  [
    'a long name',
    { name: 'x'.repeat(51) },
    'manifest.invalid-name prod/App: The name of the key is invalid: it has 51 characters, at most 50 are allowed.',
  ],
];

const MORE = {
  locals: { a: '${local.b}', b: ['${local.a}'], five: 5, u: 'usd', twice: { '${local.u}': 50, usd: 5 } },
  variable: { unset: { type: 'string' }, shaped: { type: 'object({ a = string })', default: { a: 'x' } } },
  resource: undefined,
};

describe('a key with', () => {
  test.each(KEYS)('%s is refused', async (_, fields, expected) => {
    const { resource: _resource, ...more } = MORE;
    const reading = await readKey(fields, more);
    expect(messagesOf(reading)).toEqual([expected]);
    expect(reading.manifest).toBeUndefined();
    expect(reading.diagnostics[0]).toMatchObject({ place: { file: 'cdktf.out/stacks/prod/cdk.tf.json' } });
  });

  test.each([
    [{ unlimited: true, usd: 5 }, 'Remove `unlimited`, or `usd`.'],
    [{ usd: 5, per: 'month', initial: true }, 'Remove one of the two.'],
  ])('the budget %j shows what to remove', async (budget, hint) => {
    expect((await readKey({ budget })).diagnostics).toMatchObject([{ hint }]);
  });

  test.each([[{ models: ['a', 'a'] }], [{ budget: { usd: 1, '${"usd"}': 2 } }]])(
    '%j, where something occurs twice, shows both places with their construct',
    async (fields) => {
      const place = { construct: 'prod/App' };
      expect((await readKey(fields)).diagnostics).toMatchObject([
        { place, related: [{ place, message: 'first occurrence' }] },
      ]);
    },
  );

  test('an unresolved expression shows the expression, and what to do', async () => {
    const { diagnostics } = await readKey({ group: 'team-${timestamp()}' });
    expect(diagnostics[0]).toMatchObject({
      found: '"team-${timestamp()}"',
      expected: expect.stringContaining('jsonencode'),
      hint: 'Write the value itself, or leave this to Terraform, which evaluates every expression.',
    });
  });

  test.each(['-0', '-0.00', '1e9999'])('the number %s is refused', async (number) => {
    const text = JSON.stringify(stackOf({ app: from('prod/App', { name: 'app', budget: { usd: 'N' } }) }));
    const reading = await readFiles({ 'a.tf.json': text.replace('"N"', number) });
    expect(reading.diagnostics.map(({ code }) => code)).toEqual(['terraform.unresolved']);
  });

  test('an unresolved expression of a local is reported with both places', async () => {
    const { diagnostics } = await readKey({ group: '${local.team}' }, { locals: { team: '${uuid()}' } });
    expect(diagnostics[0]).toMatchObject({
      found: '"${uuid()}"',
      related: [{ message: 'the expression', place: { file: 'cdktf.out/stacks/prod/cdk.tf.json' } }],
    });
    expect(diagnostics[0]?.related?.[0]?.place.line).not.toBe(diagnostics[0]?.place?.line);
  });

  test('a problem of every instance is reported once', async () => {
    const fields = {
      for_each: { a: 1, b: 2, c: 3 },
      name: '${each.key}',
      lifecycle: { ignore_changes: 'all' },
      group: '${f()}',
    };
    expect(messagesOf(await readKey(fields))).toEqual([
      'terraform.not-supported prod/App["a"]: Only Terraform applies `ignore_changes` to a key.',
      'terraform.unresolved prod/App["a"]: Keyplane does not evaluate the function `f`.',
    ]);
  });
});

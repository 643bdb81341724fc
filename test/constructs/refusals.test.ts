import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, openStack } from './flavours.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;
type Props = ConstructorParameters<Flavour['keys']['ApiKey']>[2];

/** Invalid props, and the one error that they cause. */
const OF_ONE_KEY: readonly (readonly [string, object, string])[] = [
  [
    'a range with bits beyond its prefix',
    { allowIps: ['10.1.2.3/8'] },
    '`allowIps`: Invalid address: the address has bits beyond its /8 prefix. Expected an IP address or a canonical CIDR range, got "10.1.2.3/8". Did you mean `10.0.0.0/8`?',
  ],
  [
    'a text that is not an address',
    { allowIps: ['10.0.0.0/8', 'office'] },
    '`allowIps`: Invalid address: not an IP address or CIDR range. Expected an IP address or a canonical CIDR range, got "office".',
  ],
  [
    'a name of 51 bytes',
    { name: `${'é'.repeat(25)}x` },
    '`name`: Invalid key name "ééééééééééééééééééééééééé' + 'x": it has 51 UTF-8 bytes, at most 50 are allowed.',
  ],
  ['a name of 51 characters', { name: 'x'.repeat(51) }, 'it has 51 characters, at most 50 are allowed.'],
  ['no name', { name: '' }, '`name`: Invalid key name "": it is empty.'],
  [
    'a name with a missing value',
    { name: `prod-${process.env.NOT_SET}` },
    '`name`: "prod-undefined" contains `undefined`: a value that your program inserts is missing.',
  ],
  ['a name with a missing number', { name: `desk ${Number('')}-${Number('x')}` }, '"desk 0-NaN" contains `NaN`: '],
  ['a name with an object', { name: `desk-${{}}` }, '"desk-[object Object]" contains `[object Object]`: '],
  ['a name that is not a string', { name: 7 }, '`name`: Expected a string, got a number.'],
  [
    'a credential for a name',
    { name: `sk-${'a'.repeat(30)}` },
    '`name`: The name looks like a credential. Names are shown everywhere. If this is a credential, revoke it.',
  ],
  [
    'an empty allowlist',
    { models: [] },
    "`models`: The list is empty: the gateway rejects every request of a key without models. Expected at least one entry. For no restriction write `'any'` instead of the list.",
  ],
  [
    'an empty list of addresses',
    { allowIps: [] },
    "`allowIps`: The list is empty: the gateway treats an empty list as no restriction. Expected at least one entry. For no restriction write `'anywhere'` instead of the list.",
  ],
  [
    'the word for any model in a list',
    { models: ['any'] },
    '`models`: The list contains `any`, which lifts the restriction and cannot be an entry.',
  ],
  ['a model ID with a comma', { models: ['a,b'] }, '`models`: Invalid model ID.'],
  [
    'a model for a list',
    { models: 'alpha-chat-1' },
    "`models`: Expected a list, got a string. For no restriction write `'any'`.",
  ],
  ['a negative budget', { budget: { usd: -1 } }, '`budget.usd`: The amount is not a number of 0 or more.'],
  ['half a unit', { budget: { quota: 0.5 } }, '`budget.quota`: Quota units must be a whole number of 0 or more.'],
  [
    'too much',
    { budget: { usd: 1e11 } },
    '`budget.usd`: The amount is too large. Expected at most 1000000000 US dollars',
  ],
  ['no amount', { budget: { per: 'day' } }, '`budget`: The amount is missing. Expected `usd` or `quota`.'],
  ['two amounts', { budget: { usd: 1, quota: 1 } }, '`budget`: The amount has two units.'],
  [
    'two forms',
    { budget: { usd: 1, per: 'day', initial: true } },
    '`budget.initial`: `per` and `initial` exclude each other.',
  ],
  ['an unknown window', { budget: { usd: 1, per: 'year' } }, '`budget.per`: Invalid window of time.'],
  [
    'a top-up above the budget',
    { budget: { usd: 1, below: { usd: 2 } } },
    '`budget.below`: `below` is more than the budget',
  ],
  [
    'a number for a budget',
    { budget: 25 },
    "`budget`: Expected a budget, got a number. For no ceiling write `'unlimited'`.",
  ],
  [
    'an expiry that is past',
    { expires: '2026-11-20T23:59:59Z' },
    '`expires`: 2026-11-20T23:59:59Z is in the past. Nobody can use such a key: change the time, or remove the key.',
  ],
  ['an expiry that is past, as a Date', { expires: new Date(0) }, '`expires`: 1970-01-01T00:00:00Z is in the past.'],
  [
    'a day for a time',
    { expires: '2030-01-01' },
    '`expires`: Invalid expiry. Expected a time with its offset, such as `2027-03-31T00:00:00Z`, or `never`, got "2030-01-01".',
  ],
  ['a Date that is none', { expires: new Date('soon') }, '`expires`: The Date is invalid.'],
  [
    'a Date with a fraction of a second',
    { expires: new Date('2030-01-01T00:00:00.5Z') },
    '`expires`: The Date has a fraction of a second.',
  ],
  ['a group with a line end', { group: 'a\nb' }, '`group`: Invalid group.'],
  ['a text for a flag', { enabled: 'no' }, '`enabled`: Expected true or false, got a string.'],
  ['no tiers', { smartRouting: { tiers: null } }, '`smartRouting.tiers` is missing.'],
  [
    'a name that only Terraform knows',
    { name: 'prod-${var.team}' },
    '`name`: The name is not resolved yet. Names must be known at synthesis, because they are unique.',
  ],
];

describe.each(FLAVOURS)('What constructs of $name refuse', (flavour) => {
  const { cdk, keys, generated } = flavour;
  const problemsOf = (build: (stack: Stack) => void): readonly string[] => {
    const { stack, app } = openStack(flavour);
    build(stack);
    return keys.KeyplaneTesting.problems(app);
  };

  it.each(OF_ONE_KEY)('is %s', (_, props, expected) => {
    const problems = problemsOf((stack) => {
      new keys.ApiKey(stack, 'Teams', { name: 'fine', ...props } as Props);
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`[prod/Teams] ${expected.startsWith('`') ? expected : ''}`);
    expect(problems[0]).toContain(expected);
  });

  it('is a number of Terraform in a text', () => {
    const problems = problemsOf((stack) => {
      const size = new cdk.TerraformVariable(stack, 'size', { type: 'number' });
      new keys.ApiKey(stack, 'Key', { name: `key-${size.numberValue}`, models: [`model-${size.numberValue}`] });
    });
    const expected = 'A number that only Terraform knows was written into a string. Wrap it: `Token.asString(value)`.';
    expect(problems).toEqual([`[prod/Key] \`name\`: ${expected}`, `[prod/Key] \`models\`: ${expected}`]);
  });

  it('is a name token', () => {
    const problems = problemsOf((stack) => {
      const team = new cdk.TerraformVariable(stack, 'team', { type: 'string' });
      new keys.ApiKey(stack, 'Key', { name: team.stringValue });
    });
    expect(problems).toEqual([expect.stringContaining('[prod/Key] `name`: The name is not resolved yet.')]);
  });

  it('is everything that is wrong, in one report', () => {
    const problems = problemsOf((stack) => {
      new keys.ApiKey(stack, 'One', { name: 'one', models: [], allowIps: ['x', 'y'] });
      new keys.ApiKey(stack, 'Two', { name: 'two', budget: { usd: -1 } });
    });
    expect(problems.map((problem) => problem.slice(0, 22))).toEqual([
      '[prod/One] `models`: T',
      '[prod/One] `allowIps`:',
      '[prod/One] `allowIps`:',
      '[prod/Two] `budget.usd',
    ]);
  });

  it('is a name twice, wherever in the tree, also without regard to case and of generated classes', () => {
    const app = keys.KeyplaneTesting.app('2026-11-21T00:00:00Z');
    const one = openStack(flavour, 'one', app);
    const two = openStack(flavour, 'two', app);
    new keys.KeySet(one.stack, 'Keys', { keys: { same: {}, other: {} } });
    new generated.apiKey.ApiKey(two.stack, 'raw', { name: 'Same' });
    new keys.ApiKey(two.stack, 'fine', { name: 'else' });
    expect(keys.KeyplaneTesting.problems(app)).toEqual([
      '[two/raw] The name "Same" is already used by one/Keys/same/Resource as "same". Names are unique in an account, ignoring case.',
    ]);
  });

  it('is not one name in two accounts, nor in two stacks whose accounts are unknown', () => {
    const app = keys.KeyplaneTesting.app('2026-11-21T00:00:00Z');
    const { stack } = openStack(flavour, 'one', app);
    const staging = new keys.KeyplaneProvider(stack, 'staging', { alias: 'staging', url: 'https://b', userId: 42 });
    new keys.ApiKey(stack, 'A', { name: 'same' });
    new keys.ApiKey(stack, 'B', { name: 'same', provider: staging });
    for (const id of ['two', 'three']) {
      const open = new cdk.TerraformStack(app, id);
      new keys.KeyplaneProvider(open, 'keyplane');
      new keys.ApiKey(open, 'C', { name: 'same' });
    }
    expect(keys.KeyplaneTesting.problems(app)).toEqual([]);
  });

  it('stops the synthesis: nothing is written', () => {
    const { stack, app } = openStack(flavour);
    new keys.ApiKey(stack, 'Key', { name: 'a', models: [] });
    expect(() => app.synth()).toThrow('[prod/Key] `models`: The list is empty');
  });

  it('is an invalid clock', () => {
    const { stack } = openStack(flavour, 'prod', keys.KeyplaneTesting.app('noon'));
    new keys.ApiKey(stack, 'Key', { name: 'a' });
    expect(() => cdk.Testing.synth(stack, true)).toThrow('The context keyplane:now must be a time with an offset');
  });
});

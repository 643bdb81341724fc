import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, openStack } from './flavours.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;
type Props = ConstructorParameters<Flavour['keys']['ApiKey']>[2];

/** What is written, and the one thing that is said of it, with the path of the construct. */
const OF_ONE_KEY: readonly (readonly [string, object, string])[] = [
  [
    'a range with bits beyond its prefix',
    { allowIps: ['10.1.2.3/8'] },
    '`allowIps`: "10.1.2.3/8" is not allowed here. The address has bits beyond its /8 prefix: did you mean "10.0.0.0/8"?',
  ],
  [
    'a text that is no address',
    { allowIps: ['10.0.0.0/8', 'office'] },
    '`allowIps`: "office" is not allowed here. It is not an IP address or CIDR range.',
  ],
  [
    'a name of 51 bytes',
    { name: `${'é'.repeat(25)}x` },
    '`name`: The name of a key is not allowed. "ééééééééééééééééééééééééé' +
      'x": it has 51 UTF-8 bytes, at most 50 are allowed.',
  ],
  ['a name of 51 characters', { name: 'x'.repeat(51) }, 'it has 51 characters, at most 50 are allowed.'],
  ['no name', { name: '' }, '`name`: The name of a key is not allowed. "": it is empty.'],
  ['a name that is no text', { name: 7 }, '`name`: A text is wanted, not a number.'],
  [
    'a credential for a name',
    { name: `sk-${'a'.repeat(30)}` },
    '`name`: The name looks like an API key. It is shown everywhere. If this is a credential, revoke it.',
  ],
  [
    'an empty allowlist',
    { models: [] },
    "`models`: The list is empty. A key without any model refuses everything: write `'any'` for no restriction.",
  ],
  [
    'an empty list of addresses',
    { allowIps: [] },
    "`allowIps`: The list is empty. A list of addresses holds one: write `'anywhere'` for no restriction.",
  ],
  ['the word for any model in a list', { models: ['any'] }, '`models`: "any" is no entry of the list.'],
  ['a model ID with a comma', { models: ['a,b'] }, '`models`: "a,b" is not allowed here.'],
  [
    'a model for a list',
    { models: 'alpha-chat-1' },
    "`models`: A list is wanted, not a string. Or write `'any'` for no restriction.",
  ],
  ['a negative budget', { budget: { usd: -1 } }, '`budget`: An amount is 0 or more.'],
  ['half a unit', { budget: { quota: 0.5 } }, '`budget`: Quota units are whole, and 0 or more.'],
  ['too much', { budget: { usd: 1e11 } }, '`budget`: An amount is at most 10000000000 dollars.'],
  ['no amount', { budget: { per: 'day' } }, '`budget`: Either `usd` or `quota` says how much.'],
  ['two amounts', { budget: { usd: 1, quota: 1 } }, '`budget`: An amount is in `usd` or in `quota`, not in both.'],
  ['two forms', { budget: { usd: 1, per: 'day', initial: true } }, '`budget`: `per` and `initial` exclude each other.'],
  ['an unknown window', { budget: { usd: 1, per: 'year' } }, '`budget`: "year" is no window of time.'],
  ['a top-up above the budget', { budget: { usd: 1, below: { usd: 2 } } }, '`budget`: `below` is more than the budget'],
  ['a number for a budget', { budget: 25 }, "`budget`: An amount is wanted, not a number. Or write `'unlimited'`."],
  [
    'an expiry that is past',
    { expires: '2026-11-20T23:59:59Z' },
    '`expires`: 2026-11-20T23:59:59Z is past. Nobody can use such a key: move the time, or remove the key.',
  ],
  ['an expiry that is past, as a Date', { expires: new Date(0) }, '`expires`: 1970-01-01T00:00:00Z is past.'],
  [
    'a day for a time',
    { expires: '2030-01-01' },
    '`expires`: Not a time. "2030-01-01": write "2027-03-31T00:00:00Z", with its offset, or "never".',
  ],
  ['a Date that is none', { expires: new Date('soon') }, '`expires`: It is no valid Date.'],
  [
    'a Date with a fraction of a second',
    { expires: new Date('2030-01-01T00:00:00.5Z') },
    '`expires`: It has a fraction of a second.',
  ],
  ['a group with a line end', { group: 'a\nb' }, '`group`: Not the name of a group.'],
  ['a text for a flag', { enabled: 'no' }, '`enabled`: true or false is wanted, not a string.'],
  ['no tiers', { smartRouting: { tiers: null } }, '`smartRouting`: It has no `tiers`.'],
  [
    'a name that only Terraform knows',
    { name: 'prod-${var.team}' },
    '`name`: It is not resolved yet. Names are unique, and that can be told only of names that are known when the app is synthesized.',
  ],
];

describe.each(FLAVOURS)('What constructs of $name refuse', (flavour) => {
  const { cdk, keys, generated } = flavour;
  const problemsOf = (build: (stack: Stack) => void): readonly string[] => {
    const { stack, app } = openStack(flavour);
    build(stack);
    return keys.KeyplaneTesting.problems(app);
  };

  it.each(OF_ONE_KEY)('is %s', (_, props, told) => {
    const problems = problemsOf((stack) => {
      new keys.ApiKey(stack, 'Teams', { name: 'fine', ...props } as Props);
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`[prod/Teams] ${told.startsWith('`') ? told : ''}`);
    expect(problems[0]).toContain(told);
  });

  it('is a number of Terraform in a text', () => {
    const problems = problemsOf((stack) => {
      const size = new cdk.TerraformVariable(stack, 'size', { type: 'number' });
      new keys.ApiKey(stack, 'Key', { name: `key-${size.numberValue}`, models: [`model-${size.numberValue}`] });
    });
    const told = 'A number that only Terraform knows was written into a text. Wrap it: Token.asString(value).';
    expect(problems).toEqual([`[prod/Key] \`name\`: ${told}`, `[prod/Key] \`models\`: ${told}`]);
  });

  it('is a name token', () => {
    const problems = problemsOf((stack) => {
      const team = new cdk.TerraformVariable(stack, 'team', { type: 'string' });
      new keys.ApiKey(stack, 'Key', { name: team.stringValue });
    });
    expect(problems).toEqual([expect.stringContaining('[prod/Key] `name`: It is not resolved yet.')]);
  });

  it('is everything that is wrong, at once', () => {
    const problems = problemsOf((stack) => {
      new keys.ApiKey(stack, 'One', { name: 'one', models: [], allowIps: ['x', 'y'] });
      new keys.ApiKey(stack, 'Two', { name: 'two', budget: { usd: -1 } });
    });
    expect(problems.map((problem) => problem.slice(0, 22))).toEqual([
      '[prod/One] `models`: T',
      '[prod/One] `allowIps`:',
      '[prod/One] `allowIps`:',
      '[prod/Two] `budget`: A',
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
      '[two/raw] the name "Same" is taken by one/Keys/same/Resource, written "same". Names of an account are unique, without regard to case.',
    ]);
  });

  it('is not one name in two accounts, nor in two stacks whose accounts only a run will tell', () => {
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
    expect(() => app.synth()).toThrow('[prod/Key] `models`: The list is empty.');
  });

  it('is a clock that tells no time', () => {
    const { stack } = openStack(flavour, 'prod', keys.KeyplaneTesting.app('noon'));
    new keys.ApiKey(stack, 'Key', { name: 'a' });
    expect(() => cdk.Testing.synth(stack, true)).toThrow('The context keyplane:now is no time with its offset');
  });
});

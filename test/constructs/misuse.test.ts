import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, openStack } from './flavours.ts';

type Opened = ReturnType<typeof openStack>;
type Cdk = Flavour['cdk'];

const variable = ({ TerraformVariable }: Cdk, { stack }: Opened, type: string) =>
  new TerraformVariable(stack, 'v', { type });

/** Props that a program without types may have, and the error that they cause at once. */
const THROWN: readonly (readonly [string, (cdk: Cdk) => object, string])[] = [
  ['a list for an iterator', () => ({ forEach: ['a'] }), '`forEach`: Expected an iterator, such as'],
  ['a construct for a list', () => ({ dependsOn: { fqn: 'a.b' } }), '`dependsOn`: Expected a list of resources.'],
  ['a text for a list', () => ({ dependsOn: 'a.b' }), '`dependsOn`: Expected a list of resources.'],
  ['nothing in a list', () => ({ dependsOn: [undefined] }), '`dependsOn`: Expected a list of resources.'],
  ['a text for a provider', () => ({ provider: 'keyplane' }), '`provider`: Expected a provider, such as'],
  ['an object for a provider', () => ({ provider: {} }), '`provider`: Expected a provider, such as'],
];

/** Props that only Terraform completes, and their errors at synthesis. */
const REPORTED: readonly (readonly [string, (cdk: Cdk, opened: Opened) => object, readonly string[]])[] = [
  [
    'Smart Routing as a whole',
    (cdk, opened) => ({ smartRouting: variable(cdk, opened, 'any').value }),
    ['[prod/Key] `smartRouting`: Only its `tiers` can be known to Terraform alone.'],
  ],
  [
    'a rotation as a whole',
    (cdk, opened) => ({ rotation: variable(cdk, opened, 'any').value }),
    ['[prod/Key] `rotation`: Only its parts can be known to Terraform alone.'],
  ],
  [
    'a former name',
    (cdk, opened) => ({ renamedFrom: variable(cdk, opened, 'string').stringValue }),
    ['[prod/Key] `renamedFrom`: The name is not resolved yet. Keyplane reads it from the synthesized stack.'],
  ],
  [
    'a number as the former name',
    () => ({ renamedFrom: 5 }),
    ['[prod/Key] `renamedFrom`: Expected a string, got a number.'],
  ],
  [
    'a misspelled instruction',
    () => ({ preventdestroy: true, lifecycle: {} }),
    [
      '[prod/Key] `preventdestroy`: Unknown field. Did you mean `preventDestroy`?',
      expect.stringMatching(/^\[prod\/Key\] `lifecycle`: Unknown field\. Expected one of name, .* preventDestroy, /),
    ],
  ],
  ['no former name', () => ({ renamedFrom: '' }), ['[prod/Key] `renamedFrom`: The name is empty.']],
];

describe.each(FLAVOURS)('Misuse of $name', (flavour) => {
  const { cdk, keys } = flavour;
  const { ApiKey, KeyplaneTesting, KeySet, RequirePolicy, RotatingKey, SmokeCheck, TeamKeys } = keys;

  it.each(THROWN)('is reported with the path of the construct: %s', (_, propsOf, error) => {
    const { stack } = openStack(flavour);
    const props = propsOf(cdk) as never;
    const budget = { usd: 5 };
    expect(() => new ApiKey(stack, 'Key', { name: 'a', ...(props as object) })).toThrow(`prod/Key: ${error}`);
    const rotation = { every: '30d', overlap: '7d' };
    expect(() => new RotatingKey(stack, 'Old', { name: 'a', ...rotation, ...(props as object) })).toThrow(error);
    const key = new ApiKey(stack, 'Good', { name: 'good', budget });
    if (error.startsWith('`forEach`')) return;
    expect(() => new SmokeCheck(stack, 'Check', { key, module: 'chat', ...(props as object) })).toThrow(
      `prod/Check: ${error}`,
    );
  });

  it.each([{ provider: {} }, { provider: 'keyplane' }])('is reported for many keys: %j', (props) => {
    const { stack } = openStack(flavour);
    const message = '`provider`: Expected a provider, such as';
    const wrong = props as never;
    expect(() => new KeySet(stack, 'Set', { keys: { a: {} }, ...(wrong as object) })).toThrow(message);
    const team = { team: 't', members: ['a'], budget: { usd: 1 } };
    expect(() => new TeamKeys(stack, 'Team', { ...team, ...(wrong as object) })).toThrow(message);
  });

  it('is reported once for many keys that share it', () => {
    const { stack } = openStack(flavour);
    const team = (props: object) => () =>
      new TeamKeys(stack, `Team${stack.node.children.length}`, {
        ...{ team: 't', members: ['a', 'b'], budget: { usd: 1 } },
        ...props,
      });
    expect(team({ Models: ['x'] })).toThrow(/^prod\/Team\d: `Models`: Unknown field\. Did you mean `models`\?$/);
    expect(team({ members: { a: { shares: 2 } } })).toThrow(/: `members`: "a": `shares`: Unknown field\..* share, /);
    expect(team({ nameOf: 'x' })).toThrow(/: `nameOf`: Expected a function of a member’s name, got a string\.$/);
    expect(team({ members: new Set(['a']) })).toThrow(
      /: `members`: Expected a list of names or an object, got a Set\.$/,
    );
    const set = (props: object) => () => new KeySet(stack, 'Set', { keys: {}, ...props });
    expect(set({ defaults: { modles: [] } })).toThrow('prod/Set: `defaults.modles`: Unknown field.');
  });

  it('is a set of keys that only Terraform knows', () => {
    const opened = openStack(flavour);
    const entries = variable(cdk, opened, 'map(any)').value as never;
    expect(() => new KeySet(opened.stack, 'Set', { keys: entries })).toThrow(
      'prod/Set: `keys`: Only Terraform knows the keys. Use `forEach` of `ApiKey`.',
    );
  });

  it('is a provider of something else', () => {
    const { stack } = openStack(flavour);
    const Random = class extends cdk.TerraformProvider {};
    const provider = new Random(stack, 'random', { terraformResourceType: 'random' });
    expect(() => new ApiKey(stack, 'Key', { name: 'a', provider })).toThrow(
      'prod/Key: `provider`: Expected a KeyplaneProvider, got a provider of random.',
    );
  });

  it('is output as HCL, from which the CDK omits checks and secrets', () => {
    const app = new cdk.App({ hclOutput: true });
    const { stack } = openStack(flavour, 'prod', app);
    new ApiKey(stack, 'Key', { name: 'a', budget: { usd: 1 } });
    expect(KeyplaneTesting.problems(app)).toEqual([expect.stringContaining('[prod] The CDK omits checks and secrets')]);
  });

  it.each(REPORTED)('is reported at synthesis: %s', (_, propsOf, errors) => {
    const opened = openStack(flavour);
    new ApiKey(opened.stack, 'Key', { name: 'a', budget: { usd: 5 }, ...propsOf(cdk, opened) });
    expect(KeyplaneTesting.problems(opened.stack)).toEqual(errors);
  });

  it('is to split a budget between members that only Terraform knows', () => {
    const opened = openStack(flavour);
    const members = variable(cdk, opened, 'list(string)').listValue;
    expect(() => new TeamKeys(opened.stack, 'Team', { team: 't', members, budget: { usd: 5 } })).toThrow(
      'prod/Team: `members`: Only Terraform knows the members, and a budget cannot be split between them. Use `forEach` of `ApiKey`.',
    );
  });

  it('is a policy with exceptions alone', () => {
    expect(() => new RequirePolicy({ except: ['a'] })).toThrow(/Expected at least one of [\w, ]*\bowner\.$/);
  });

  it('is not to use the values of an iterator, whatever their type', () => {
    const { stack } = openStack(flavour);
    const forEach = cdk.TerraformIterator.fromList(['a', 'b']);
    const { value } = forEach;
    new ApiKey(stack, 'Key', { name: `t-${value}`, group: value, models: [value], allowIps: [value], forEach });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
    expect(KeyplaneTesting.keys(stack)[0]?.attributes).toMatchObject({
      group: '${each.value}',
      models: ['${each.value}'],
      allow_ips: ['${each.value}'],
    });
  });
});

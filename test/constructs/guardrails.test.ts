import { describe, expect, it } from 'vitest';
import { FLAVOURS, openStack } from './flavours.ts';

describe.each(FLAVOURS)('Guardrails of $name', (flavour) => {
  const { cdk, keys, generated } = flavour;
  const { ApiKey, KeyplaneTesting, RequireAllowlist, RequireBudget, RequireExpiry } = keys;
  const rules = {
    expiry: () => new RequireExpiry(),
    'expiry within 30d': () => new RequireExpiry({ within: '30d' }),
    budget: () => new RequireBudget(),
    'budget of $100': () => new RequireBudget({ atMost: { usd: 100 } }),
    models: () => new RequireAllowlist(),
    'known models': () => new RequireAllowlist({ models: ['alpha-chat-1'] }),
    addresses: () => new RequireAllowlist({ models: false, addresses: true }),
    'our addresses': () => new RequireAllowlist({ models: false, addresses: ['10.0.0.0/8', '2001:db8::/32'] }),
  } as const;

  it.each([
    ['expiry', {}, 'RequireExpiry: it does not expire. Set `expires` to a time.'],
    ['expiry', { expires: 'never' }, 'RequireExpiry: it does not expire. Set `expires` to a time.'],
    ['expiry', { expires: '${var.end}' }, 'RequireExpiry: `expires` is known only to Terraform'],
    ['expiry', { expires: '2030-01-01T00:00:00Z' }, undefined],
    ['expiry within 30d', { expires: '2026-12-21T00:00:00Z' }, undefined],
    [
      'expiry within 30d',
      { expires: '2026-12-21T00:00:01Z' },
      'it expires on 2026-12-21T00:00:01Z, which is more than 30d away.',
    ],
    ['budget', {}, 'RequireBudget: it has no budget. Set `budget`.'],
    ['budget', { budget: 'unlimited' }, 'RequireBudget: its budget is unlimited. Set an amount.'],
    ['budget', { budget: { usd: '${var.usd}' } }, 'RequireBudget: `budget` is known only to Terraform'],
    ['budget', { budget: { quota: 1e9 } }, undefined],
    ['budget of $100', { budget: { usd: '100.00' } }, undefined],
    ['budget of $100', { budget: { usd: '100.01' } }, 'RequireBudget: its budget of $100.01 is more than $100.'],
    [
      'budget of $100',
      { budget: { quota: 1 } },
      'its budget of 1 quota units has another unit than the maximum, $100.',
    ],
    ['models', {}, 'RequireAllowlist: it has no `models`. List them.'],
    ['models', { models: 'any' }, 'RequireAllowlist: its `models` are "any". List them.'],
    ['models', { models: ['${var.model}'] }, 'RequireAllowlist: `models` is known only to Terraform'],
    ['models', { models: ['beta-image-1'] }, undefined],
    [
      'known models',
      { models: ['alpha-chat-1', 'beta-image-1'] },
      'its `models` include entries that are not allowed: beta-image-1.',
    ],
    ['known models', { models: ['alpha-chat-1'] }, undefined],
    ['addresses', {}, 'RequireAllowlist: it has no `allowIps`. List them.'],
    ['addresses', { allowIps: 'anywhere' }, 'RequireAllowlist: its `allowIps` are "anywhere". List them.'],
    ['addresses', { allowIps: ['203.0.113.7'] }, undefined],
    ['our addresses', { allowIps: ['10.1.0.0/16', '2001:db8:1::/48', '10.0.0.1'] }, undefined],
    [
      'our addresses',
      { allowIps: ['10.1.0.0/16', '0.0.0.0/0', '11.0.0.0/8'] },
      'its `allowIps` include entries that are not allowed: 0.0.0.0/0, 11.0.0.0/8.',
    ],
  ] as const)('require %s of %j', (rule, props, expected) => {
    const { stack } = openStack(flavour);
    const key = new ApiKey(stack, 'Key', { name: 'a', ...props });
    cdk.Aspects.of(stack).add(rules[rule]());
    const problems = KeyplaneTesting.problems(stack);
    expect(problems).toEqual(expected === undefined ? [] : [expect.stringContaining(`[${key.resource.node.path}] `)]);
    if (expected !== undefined) expect(problems[0]).toContain(expected);
  });

  it('apply to keys that neither a construct nor an override of this stack has written', () => {
    const block = { resource: { keyplane_api_key: { hidden: { name: 'a' } } } };
    class OwnElement extends cdk.TerraformElement {
      public override toTerraform() {
        return block;
      }
    }
    class OwnStack extends cdk.TerraformStack {
      public override toTerraform() {
        return { ...super.toTerraform(), ...block };
      }
    }
    const { app, stack } = openStack(flavour);
    new OwnElement(stack, 'own');
    const own = new OwnStack(app, 'own');
    new keys.KeyplaneProvider(own, 'keyplane', { url: 'https://gateway.example.com', userId: 42 });
    cdk.Aspects.of(app).add(new RequireBudget());
    for (const each of [stack, own]) {
      expect(KeyplaneTesting.problems(each)).toEqual([
        expect.stringContaining('keyplane_api_key.hidden: RequireBudget: it has no budget.'),
      ]);
    }
  });

  it('apply to every one of many equal keys, and to values that became invalid', () => {
    const { stack } = openStack(flavour);
    const props = { name: 'a', allowIps: ['10.0.0.0/8'], budget: { usd: 5 } } as const;
    new ApiKey(stack, 'One', props);
    new ApiKey(stack, 'Two', { ...props, name: 'b', allowIps: ['10.0.0.0/8', '10.0.0.1/8'] });
    new ApiKey(stack, 'Three', { ...props, name: 'c', allowIps: ['10.0.0.0/8', '10.0.0.1/8'] });
    const problems = () => KeyplaneTesting.problems(stack).map((each) => /\[prod\/(\w+)\]/.exec(each)?.[1]);
    expect(problems()).toEqual(problems());
    expect(problems()).toEqual(['Two', 'Three']);
  });

  it.each([
    ['the app', (app: object) => app],
    ['the stack', (_: object, stack: object) => stack],
  ])('that are put over %s hold for keys of every class, after every override, and once', (_, over) => {
    const { app, stack } = openStack(flavour);
    new generated.apiKey.ApiKey(stack, 'raw', { name: 'raw' });
    const key = new ApiKey(stack, 'Key', { name: 'a', expires: '2030-01-01T00:00:00Z' });
    key.resource.addOverride('expires_at', 'never');
    new ApiKey(stack, 'Fine', { name: 'fine', expires: '2030-01-01T00:00:00Z' });
    cdk.Aspects.of(over(app, stack) as typeof app).add(new RequireExpiry());
    const problems = KeyplaneTesting.problems(app);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^\[prod\/raw\] RequireExpiry: it does not expire/);
    expect(problems[1]).toMatch(/^\[prod\/Key\/Resource\] RequireExpiry: it does not expire/);
    expect(() => app.synth()).toThrow('it does not expire');
  });

  it('exempt the configured constructs', () => {
    const { stack } = openStack(flavour);
    new ApiKey(stack, 'Legacy', { name: 'legacy-1' });
    new ApiKey(stack, 'Other', { name: 'other' });
    cdk.Aspects.of(stack).add(new RequireBudget({ except: ['legacy-*'] }));
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringContaining('[prod/Other/Resource]')]);
  });

  it('reject invalid props of their own immediately', () => {
    expect(() => new RequireExpiry({ within: 'a year' })).toThrow('RequireExpiry: `within` must be a duration');
    expect(() => new RequireBudget({ atMost: { usd: 'much' } })).toThrow('RequireBudget: `atMost` must be an amount');
    expect(() => new RequireAllowlist({ addresses: ['10.1.2.3/8'] })).toThrow('Did you mean `10.0.0.0/8`?');
  });

  it.each([
    [{ budget: { usd: 100 } }, { budget: { usd: 100.01 } }, 'its budget of $100.01 is more than $100.'],
    [
      { exposure: { usd: 29 } },
      { budget: { usd: 1, per: 'day' } },
      'its exposure within 30 days of $30 is more than $29.',
    ],
    [{ expires: '30d' }, {}, 'it does not expire. Set `expires` to a time.'],
    [{ forbiddenModels: ['*-preview'] }, { models: ['x-preview'] }, 'include entries that are not allowed: x-preview.'],
    [{ forbiddenModels: ['*-preview'] }, { models: ['${var.model}'] }, '`models` is known only to Terraform'],
    [{ allowIps: true }, { allowIps: ['0.0.0.0/1', '128.0.0.0/1'] }, 'together admit at least half of the internet.'],
    [{ expires: true, budget: true }, { enabled: false }, undefined],
    [{ expires: true, except: ['a'] }, {}, undefined],
  ] as const)('of the policy %j judge %j', (policy, props, expected) => {
    const { stack } = openStack(flavour);
    new ApiKey(stack, 'Key', { name: 'a', ...props });
    cdk.Aspects.of(stack).add(new keys.RequirePolicy(policy));
    const problems = KeyplaneTesting.problems(stack);
    expect(problems).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)]);
  });

  it('of a policy add up the keys of all stacks', () => {
    const { app, stack } = openStack(flavour);
    cdk.Aspects.of(app).add(new keys.RequirePolicy({ totalExposure: { usd: 1 } }));
    new ApiKey(stack, 'A', { name: 'a', budget: { usd: 1 } });
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    new ApiKey(stack, 'B', { name: 'b', budget: { usd: '0.01' } });
    const total = (usd: string) =>
      `[prod] RequirePolicy: the exposure of all keys within 30 days of $${usd} is more than $1. Lower the budgets of some keys.`;
    expect(KeyplaneTesting.problems(app)).toEqual([total('1.01')]);
    // One error for all keys, and not one for each.
    for (const name of ['c', 'd', 'e']) new ApiKey(stack, name, { name, budget: { usd: 1 } });
    expect(KeyplaneTesting.problems(app)).toEqual([total('4.01')]);
    for (const name of ['raw', 'rare']) {
      stack.addOverride(`resource.keyplane_api_key.${name}`, { name, budget: { usd: 2, per: 'lifetime' } });
    }
    expect(KeyplaneTesting.problems(app)).toEqual([total('8.01')]);
  });

  it.each([
    [{}, 'RequirePolicy: Expected at least one of'],
    [{ budgets: true }, 'RequirePolicy: `budgets`: A policy has no such rule.'],
    [{ budget: { usd: 'much' } }, 'RequirePolicy: `budget.usd`: The amount is not a number'],
    [{ allowIps: ['10.1.2.3/8'] }, 'Did you mean `10.0.0.0/8`?'],
    [{ except: 'a' }, '`except` must be a list of names.'],
  ])('of the policy %j are refused', (policy, expected) => {
    expect(() => new keys.RequirePolicy(policy as never)).toThrow(expected);
  });

  it('can be written by others', () => {
    class RequireVip extends keys.Guardrail {
      constructor() {
        super({});
      }
      protected override problems({ group }: { readonly group?: unknown }) {
        return group === 'vip' ? [] : ['it is not in vip.'];
      }
    }
    const { stack } = openStack(flavour);
    new ApiKey(stack, 'Key', { name: 'a' });
    cdk.Aspects.of(stack).add(new RequireVip());
    expect(KeyplaneTesting.problems(stack)).toEqual(['[prod/Key/Resource] RequireVip: it is not in vip.']);
  });
});

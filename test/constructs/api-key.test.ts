import { describe, expect, it } from 'vitest';
import { FLAVOURS, openStack } from './flavours.ts';

describe.each(FLAVOURS)('ApiKey of $name', (flavour) => {
  const { cdk, keys, generated } = flavour;
  const { ApiKey, KeyplaneTesting } = keys;

  it('writes every field in the form of the provider, and nothing that was omitted', () => {
    const { stack } = openStack(flavour);
    new ApiKey(stack, 'Plain', { name: 'plain' });
    new ApiKey(stack, 'Full', {
      name: 'full',
      enabled: false,
      group: 'vip',
      crossGroupRetry: true,
      models: ['alpha-chat-1', 'beta-image-1'],
      allowIps: ['10.0.0.0/8', '2001:db8::/32'],
      expires: new Date('2030-03-31T00:00:00Z'),
      budget: { usd: '0.1', below: { usd: 0.05 } },
      smartRouting: { tiers: { fast: ['alpha-chat-1'], depth: 2 } },
    });
    const name = { name: 'plain' };
    expect(KeyplaneTesting.key(stack, 'plain').attributes).toEqual({ ...name, '//': expect.anything() });
    expect(KeyplaneTesting.key(stack, 'full').attributes).toEqual({
      '//': { metadata: { path: 'prod/Full/Resource', uniqueId: expect.stringMatching(/^Full_/) } },
      name: 'full',
      enabled: false,
      group: 'vip',
      cross_group_retry: true,
      models: ['alpha-chat-1', 'beta-image-1'],
      allow_ips: ['10.0.0.0/8', '2001:db8::/32'],
      expires_at: '2030-03-31T00:00:00Z',
      budget: { usd: '0.1', below: { usd: 0.05 } },
      smart_routing_tiers: '{"fast":["alpha-chat-1"],"depth":2}',
    });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
  });

  it.each([
    ['any model', { models: 'any' }, { models: ['any'] }],
    ['any address', { allowIps: 'anywhere' }, { allow_ips: ['anywhere'] }],
    ['no end', { expires: 'never' }, { expires_at: 'never' }],
    ['no ceiling', { budget: 'unlimited' }, { budget: { unlimited: true } }],
    ['a grant in units', { budget: { quota: 5000 } }, { budget: { quota: 5000, per: 'lifetime' } }],
    ['a grant for life', { budget: { usd: 1, per: 'lifetime' } }, { budget: { usd: 1, per: 'lifetime' } }],
    ['an allowance', { budget: { usd: 25, per: '7d' } }, { budget: { usd: 25, per: '7d' } }],
    ['a first grant', { budget: { quota: 5, initial: true } }, { budget: { quota: 5, initial: true } }],
    ['Smart Routing without tiers', { smartRouting: {} }, { smart_routing_tiers: '' }],
    ['a nested text in tiers', { smartRouting: { tiers: 'a "b" \\' } }, { smart_routing_tiers: '"a \\"b\\" \\\\"' }],
  ] as const)('writes %s in the words of the provider', (_, props, attributes) => {
    const { stack } = openStack(flavour);
    new ApiKey(stack, 'Key', { name: 'a', ...props });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
    expect(KeyplaneTesting.key(stack, 'a').attributes).toMatchObject(attributes);
  });

  it('renders what the generated class does, without the undefined attributes that the CDK would resolve each time', () => {
    const { stack } = openStack(flavour);
    const budget = { usd: 10, per: 'lifetime' } as const;
    const lifecycle = { preventDestroy: true };
    const key = new ApiKey(stack, 'Key', { name: 'a', budget, preventDestroy: true });
    const plain = new generated.apiKey.ApiKey(stack, 'Generated', { name: 'a', budget, lifecycle });
    const blockOf = (resource: typeof plain): unknown => {
      const [block] = Object.values(resource.toTerraform().resource.keyplane_api_key);
      return { ...(block as object), '//': undefined };
    };
    expect(blockOf(key.resource)).toStrictEqual({
      name: 'a',
      budget,
      lifecycle: { prevent_destroy: true },
      '//': undefined,
    });
    expect(blockOf(key.resource)).toEqual(blockOf(plain));
  });

  it('leaves to the provider what only Terraform knows', () => {
    const { stack } = openStack(flavour);
    const group = new cdk.TerraformVariable(stack, 'group', { type: 'string' });
    const limit = new cdk.TerraformVariable(stack, 'limit', { type: 'number' });
    const ranges = new cdk.TerraformVariable(stack, 'ranges', { type: 'list(string)' });
    new ApiKey(stack, 'Key', {
      name: 'a',
      group: group.stringValue,
      allowIps: ranges.listValue,
      expires: '${var.end}',
      budget: { usd: limit.numberValue },
      smartRouting: { tiers: { group: group.stringValue } },
    });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
    expect(KeyplaneTesting.key(stack, 'a').attributes).toMatchObject({
      group: '${var.group}',
      allow_ips: '${var.ranges}',
      expires_at: '${var.end}',
      budget: { usd: '${var.limit}', per: 'lifetime' },
      smart_routing_tiers: '{"group":${jsonencode(var.group)}}',
    });
  });

  it('validates a lazy name as what it resolves to at synthesis', () => {
    const { stack } = openStack(flavour);
    const names = ['a', 'a'.repeat(99)];
    for (const [index, name] of names.entries()) {
      const lazy = cdk.Lazy.stringValue({ produce: () => name });
      new ApiKey(stack, `Key${index}`, { name: lazy, budget: 'unlimited' });
    }
    new ApiKey(stack, 'Same', { name: 'A', budget: 'unlimited' });
    expect(KeyplaneTesting.problems(stack)).toEqual([
      expect.stringContaining('The name "A" is already used by prod/Key0/Resource as "a".'),
      expect.stringContaining('[prod/Key1] `name`: Invalid key name'),
    ]);
  });

  it('passes a former name to Keyplane, and prevent_destroy to Terraform', () => {
    const { stack } = openStack(flavour);
    new ApiKey(stack, 'Key', { name: 'new', renamedFrom: 'old', preventDestroy: true });
    const { attributes } = KeyplaneTesting.key(stack, 'new');
    expect(attributes['//']).toMatchObject({
      keyplane: { renamedFrom: 'old' },
      metadata: { path: 'prod/Key/Resource' },
    });
    expect(attributes.lifecycle).toEqual({ prevent_destroy: true });
  });

  it('opens to the resource below: overrides, imports and other providers', () => {
    const { stack } = openStack(flavour);
    const other = new keys.KeyplaneProvider(stack, 'other', { alias: 'other' });
    const key = new ApiKey(stack, 'Key', { name: 'a', provider: other });
    key.resource.addOverride('group', 'vip');
    key.resource.importFrom('name=a');
    expect(key.node.defaultChild).toBe(key.resource);
    expect(KeyplaneTesting.key(stack, 'a').attributes).toMatchObject({ group: 'vip', provider: 'keyplane.other' });
    const { import: imports } = JSON.parse(cdk.Testing.synth(stack));
    expect(imports).toEqual([{ id: 'name=a', to: `keyplane_api_key.${key.resource.friendlyUniqueId}` }]);
  });

  it('judges a text as it will be, without the signs that keep Terraform from reading it', () => {
    const { stack } = openStack(flavour);
    const name = `${'x'.repeat(47)}\${}`;
    const escaped = `${'x'.repeat(47)}$\${}`;
    new ApiKey(stack, 'Key', { name: escaped });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
    new ApiKey(stack, 'Same', { name: escaped });
    const taken = `The name ${JSON.stringify(name)} is already used`;
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringContaining(taken)]);
  });

  it('may share its name with another key when both are imported by their IDs', () => {
    const twins = (...ids: readonly (string | undefined)[]) => {
      const { app, stack } = openStack(flavour);
      for (const [i, id] of ids.entries()) {
        const { resource } = new ApiKey(stack, `Twin${i}`, { name: 'twin' });
        if (id !== undefined) resource.importFrom(id);
      }
      return KeyplaneTesting.problems(app);
    };
    expect(twins('7', 'id=8')).toEqual([]);
    const taken = [expect.stringContaining('The name "twin" is already used by prod/Twin0/Resource.')];
    expect(twins('7', undefined)).toEqual(taken);
    expect(twins(undefined, '7')).toEqual(taken);
    expect(twins('7', 'id=7')).toEqual(taken);
    expect(twins('7', '8', '8')).toHaveLength(1);
    expect(twins('name=twin', '7')).toEqual(taken);
  });

  it('gives its number to others', () => {
    const { stack } = openStack(flavour);
    const key = new ApiKey(stack, 'Key', { name: 'a' });
    new cdk.TerraformOutput(stack, 'number', { value: key.keyId });
    const { output } = JSON.parse(cdk.Testing.synth(stack));
    expect(output.number.value).toBe(`\${keyplane_api_key.${key.resource.friendlyUniqueId}.id}`);
    expect(key.keyName).toBe('a');
  });

  it('only warns of an expiry in the past, where the app is configured so', () => {
    const app = KeyplaneTesting.app('2030-01-02T00:00:00Z');
    app.node.setContext(keys.PAST_EXPIRY, 'warn');
    const { stack } = openStack(flavour, 'prod', app);
    const key = new ApiKey(stack, 'Key', { name: 'a', budget: { usd: 1 }, expires: '2030-01-01T00:00:00Z' });
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    expect(key.node.metadata.map(({ type, data }) => [type, data])).toEqual([
      ['@cdktf/warn', expect.stringContaining('2030-01-01T00:00:00Z is in the past')],
    ]);
  });

  it('warns of a key without a budget, which a plan would refuse to create', () => {
    const { app, stack } = openStack(flavour);
    const none = new ApiKey(stack, 'None', { name: 'a' });
    const unlimited = new ApiKey(stack, 'Unlimited', { name: 'b', budget: 'unlimited' });
    const later = new ApiKey(stack, 'Later', { name: 'c' });
    later.resource.putBudget({ usd: 5 });
    const overridden = new ApiKey(stack, 'Overridden', { name: 'd' });
    overridden.resource.addOverride('budget', { usd: 5 });
    const removed = new ApiKey(stack, 'Removed', { name: 'e', budget: { usd: 5 } });
    removed.resource.addOverride('budget', undefined);
    const nested = new ApiKey(stack, 'Nested', { name: 'f' });
    nested.resource.addOverride('budget.usd', 5);
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    for (const [{ node }, name] of [
      [none, 'a'],
      [removed, 'e'],
    ] as const) {
      expect(node.metadata.map(({ type, data }) => [type, data])).toEqual([
        ['@cdktf/warn', expect.stringContaining(`The key "${name}" has no \`budget\``)],
      ]);
    }
    expect([unlimited, later, overridden, nested].flatMap(({ node }) => node.metadata)).toEqual([]);
  });

  it('warns of a key of a generated class as well, and of one that only the stack holds', () => {
    const { app, stack } = openStack(flavour);
    const generated = new flavour.generated.apiKey.ApiKey(stack, 'Generated', { name: 'a' });
    stack.addOverride('resource.keyplane_api_key.raw', { name: 'b' });
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    expect(generated.node.metadata.filter(({ type }) => type === '@cdktf/warn')).toHaveLength(1);
    expect(stack.node.metadata.filter(({ type }) => type === '@cdktf/warn')).toMatchObject([
      { data: expect.stringContaining('The key "b" has no `budget`') },
    ]);
  });
});

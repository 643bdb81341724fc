import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, openStack } from './flavours.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;

describe.each(FLAVOURS)('The secret of a key with $name', (flavour) => {
  const { cdk, keys } = flavour;
  const { ApiKey, KeyplaneProvider, KeyplaneTesting, RotatingKey } = keys;
  const keyIn = (stack: Stack, props = {}) => new ApiKey(stack, 'Key', { name: 'a', budget: 'unlimited', ...props });
  const written = (stack: Stack) => JSON.parse(cdk.Testing.synth(stack));
  const use = (stack: Stack, value: string) =>
    new cdk.TerraformResource(stack, 'use', { terraformResourceType: 'terraform_data' }).addOverride('input', value);
  const REFERENCE = '${ephemeral.keyplane_api_key_secret.Key_Secret_';

  it('is an ephemeral block that reads the key, once for each key', () => {
    const { stack } = openStack(flavour);
    const key = keyIn(stack);
    use(stack, `Bearer ${key.secret()}`);
    key.secret();
    const { ephemeral, resource } = written(stack);
    const [[label, block], ...others] = Object.entries(ephemeral.keyplane_api_key_secret) as [[string, object]];
    expect(others).toEqual([]);
    expect(block).toEqual({ id: `\${keyplane_api_key.${key.resource.friendlyUniqueId}.id}` });
    expect(resource.terraform_data.use.input).toBe(`Bearer \${ephemeral.keyplane_api_key_secret.${label}.secret}`);
  });

  it('is read by the provider of the key', () => {
    const { stack } = openStack(flavour);
    const provider = new KeyplaneProvider(stack, 'other', { alias: 'other', url: 'https://b.example.com', userId: 7 });
    keyIn(stack, { provider }).secret();
    const [block] = Object.values(written(stack).ephemeral.keyplane_api_key_secret);
    expect(block).toMatchObject({ provider: 'keyplane.other' });
  });

  it('follows a changed logical ID', () => {
    const { stack } = openStack(flavour);
    const key = keyIn(stack);
    use(stack, key.secret());
    key.resource.overrideLogicalId('renamed');
    const [block] = Object.values(written(stack).ephemeral.keyplane_api_key_secret);
    expect(block).toEqual({ id: '${keyplane_api_key.renamed.id}' });
  });

  it('is that of the current key of a rotation', () => {
    const { stack } = openStack(flavour);
    const key = new RotatingKey(stack, 'Desk', {
      name: 'desk',
      every: '90d',
      overlap: '7d',
      budget: { usd: 5 },
    });
    key.secret();
    const [block] = Object.values(written(stack).ephemeral.keyplane_api_key_secret);
    expect(block).toEqual({ id: `\${keyplane_api_key.${key.resource.friendlyUniqueId}.id}` });
  });

  it('cannot be an output, which is stored', () => {
    const { app, stack } = openStack(flavour);
    const key = keyIn(stack);
    new cdk.TerraformOutput(stack, 'leak', { value: `Bearer ${key.secret()}`, sensitive: true });
    expect(KeyplaneTesting.problems(app)).toEqual([
      expect.stringContaining('The output "leak" would store the secret of a key.'),
    ]);
  });

  it.each<[string, boolean, (local: (id: string, value: unknown) => string, secret: string) => unknown]>([
    ['a local value', true, (local, secret) => `\${local.${local('one', secret)}}`],
    [
      'a local value of a local value',
      true,
      (local, secret) => {
        const inner = local('inner', `Bearer ${secret}`);
        return `\${local.${local('outer', `\${local.${inner}}`)}}`;
      },
    ],
    ['a member of an object', true, (local, secret) => `\${local.${local('all', { key: secret, name: 'a' })}["key"]}`],
    ['a whole object', true, (local, secret) => `\${local.${local('all', { key: secret, name: 'a' })}}`],
    [
      'a member of an object through another local value',
      true,
      (local, secret) => {
        const inner = local('inner', { deep: { key: secret } });
        return `\${local.${local('outer', `\${local.${inner}.deep}`)}.key}`;
      },
    ],
    ['an item of a list', true, (local, secret) => ({ all: `\${local.${local('list', ['a', secret])}[1]}` })],
    ['a list of a list', true, (local, secret) => [[`\${local.${local('one', secret)}}`]]],
    // Terraform finds it.
    ['a larger expression', false, (local, secret) => `\${var.on ? local.${local('one', secret)} : ""}`],
    [
      'another member of the object',
      false,
      (local, secret) => `\${local.${local('all', { key: secret, name: 'a' })}.name}`,
    ],
    ['another item of the list', false, (local, secret) => `\${local.${local('list', ['a', secret])}[0]}`],
    [
      'a function that takes another member',
      false,
      (local, secret) => `\${lookup(local.${local('all', { key: secret, name: 'a' })}, "name", "")}`,
    ],
    ['the number of items', false, (local, secret) => `\${length(local.${local('list', ['a', secret])})}`],
    ['null instead of the secret', false, (local, secret) => `\${ephemeralasnull(local.${local('one', secret)})}`],
    ['a text that names the local value', false, (local, secret) => `see local.${local('one', secret)}`],
    ['an escaped reference', false, (local, secret) => `$\${local.${local('one', secret)}}`],
    ['a string in an expression', false, (local, secret) => `\${upper("local.${local('one', secret)}")}`],
    [
      'a local value with a similar name',
      false,
      (local, secret) => {
        local('one', secret);
        return `\${local.${local('one_more', 'b')}}`;
      },
    ],
    ['an output of a module of that name', false, (local, secret) => `\${module.local.${local('one', secret)}}`],
    [
      'none of forty local values, each of which refers to the next one twice',
      false,
      (local) => {
        const last = local('last', 'a');
        const twice = (name: string) => ({ left: `\${local.${name}}`, right: `\${local.${name}}` });
        const names = Array.from({ length: 40 }, (_, n) => `level-${n}`);
        return `\${local.${names.reduce((below, name) => local(name, twice(below)), last)}}`;
      },
    ],
    [
      'local values that refer to each other',
      false,
      (local) => {
        local('a', '${local.b}');
        return `\${local.${local('b', '${local.a}')}}`;
      },
    ],
  ])('that reaches an output through %s is found: %s', (_, isFound, outputOf) => {
    const { app, stack } = openStack(flavour);
    const local = (id: string, value: unknown) => new cdk.TerraformLocal(stack, id, value).friendlyUniqueId;
    new cdk.TerraformOutput(stack, 'leak', { value: outputOf(local, keyIn(stack).secret()), sensitive: true });
    const error = expect.stringContaining('The output "leak" would store the secret of a key.');
    expect(KeyplaneTesting.problems(app)).toEqual(isFound ? [error] : []);
  });

  it('that reaches an output through the API of local values is found', () => {
    const { app, stack } = openStack(flavour);
    const all = new cdk.TerraformLocal(stack, 'all', { key: keyIn(stack).secret(), name: 'a' });
    const again = new cdk.TerraformLocal(stack, 'again', all.expression);
    new cdk.TerraformOutput(stack, 'name', { value: cdk.propertyAccess(all.expression, ['name']) });
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    new cdk.TerraformOutput(stack, 'key', { value: cdk.propertyAccess(again.expression, ['key']) });
    expect(KeyplaneTesting.problems(app)).toEqual([expect.stringContaining('The output "key" would store')]);
  });

  it('cannot leave the stack of the key', () => {
    const { app, stack } = openStack(flavour);
    const other = new cdk.TerraformStack(app, 'other');
    use(other, keyIn(stack).secret());
    expect(() => KeyplaneTesting.problems(app)).toThrow('Another stack uses the secret of this key.');
  });

  it('is not in the configuration before it is used', () => {
    const { stack } = openStack(flavour);
    keyIn(stack);
    expect(written(stack).ephemeral).toBeUndefined();
    expect(JSON.stringify(written(stack))).not.toContain(REFERENCE);
  });
});

describe.each(FLAVOURS)('Keys for each entry of an iterator with $name', (flavour) => {
  const { cdk, keys } = flavour;
  const { ApiKey, KeyplaneTesting, SmokeCheck } = keys;
  const teams = () => cdk.TerraformIterator.fromMap({ ads: {}, search: {} });
  type Each = ReturnType<typeof teams>;
  const problemsOf = (propsOf: (each: Each) => object) => {
    const { app, stack } = openStack(flavour);
    const each = teams();
    new ApiKey(stack, 'Teams', { forEach: each, budget: { usd: 5 }, ...propsOf(each) } as never);
    return KeyplaneTesting.problems(app);
  };

  it('are one block, whose names Terraform builds', () => {
    const { app, stack } = openStack(flavour);
    const forEach = teams();
    new ApiKey(stack, 'Teams', { forEach, name: `team-${forEach.key}`, budget: { usd: 5 } });
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    const [block] = Object.values(JSON.parse(cdk.Testing.synth(stack)).resource.keyplane_api_key);
    expect(block).toMatchObject({ name: 'team-${each.key}', for_each: { ads: {}, search: {} } });
  });

  it('need a name for each', () => {
    expect(problemsOf(() => ({ name: 'team' }))).toEqual([expect.stringContaining('Each of the keys would have this')]);
  });

  it('have no former name', () => {
    expect(problemsOf(({ key }) => ({ name: key, renamedFrom: 'old' }))).toEqual([
      expect.stringContaining('`renamedFrom`: `forEach` makes many keys'),
    ]);
  });

  it('are not one key that has an ID, a secret or a check', () => {
    const { stack } = openStack(flavour);
    const forEach = teams();
    const key = new ApiKey(stack, 'Teams', { forEach, name: forEach.key, budget: { usd: 5 } });
    expect(() => key.keyId).toThrow('TerraformIterator.fromResources(key.resource)');
    expect(() => key.secret()).toThrow('prod/Teams: `secret()`: `forEach` makes many keys.');
    expect(() => new SmokeCheck(stack, 'pong', { key, module: 'chat' })).toThrow('`keyId`: `forEach` makes many keys.');
  });

  it('pass a guardrail only with values that the configuration has', () => {
    const { app, stack } = openStack(flavour);
    cdk.Aspects.of(app).add(new keys.RequireBudget());
    const forEach = cdk.TerraformIterator.fromMap({ ads: { usd: 5 } });
    new ApiKey(stack, 'Teams', { forEach, name: forEach.key, budget: { usd: forEach.getNumber('usd') } });
    expect(KeyplaneTesting.problems(app)).toEqual([expect.stringContaining('`budget` is known only to Terraform')]);
  });
});

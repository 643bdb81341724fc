import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, openStack } from './flavours.ts';

type Opened = ReturnType<typeof openStack>;

describe.each(FLAVOURS)('What programs of $name reach below a construct', (flavour) => {
  const { cdk, generated, keys } = flavour;
  const { ApiKey, KeyplaneProvider, KeyplaneTesting } = keys;
  const budget = { usd: 1 };
  const problemsOf = (build: (opened: Opened) => void): readonly string[] => {
    const opened = openStack(flavour);
    build(opened);
    return KeyplaneTesting.problems(opened.app);
  };
  const warningsOf = ({ app }: Opened): readonly string[] =>
    app.node.findAll().flatMap(({ node }) => node.metadata.filter(({ type }) => type.endsWith('warn')).map(String));

  it('is a name that the provider generates', () => {
    const problems = problemsOf(({ stack }) => {
      new generated.apiKey.ApiKey(stack, 'Generated', {
        namePrefix: 'mailer-',
        budget: { usd: 1, per: 'lifetime' },
        onDestroy: 'disable',
        rotateWhenChanged: { release: '1' },
        lifecycle: { createBeforeDestroy: true },
      });
      const { resource } = new ApiKey(stack, 'Key', { name: 'a', budget });
      resource.addOverride('name', undefined);
      resource.addOverride('name_prefix', 'a-');
      new generated.apiKey.ApiKey(stack, 'Nameless', { budget: { usd: 1, per: 'lifetime' } });
    });
    expect(problems).toEqual(['[prod/Nameless] `name`: Expected a string, got nothing.']);
    const { stack } = openStack(flavour);
    new generated.apiKey.ApiKey(stack, 'Generated', { namePrefix: 'mailer-' });
    expect(KeyplaneTesting.keys(stack)).toMatchObject([{ name: '' }]);
  });

  it('is a stack within a stack, which has blocks of its own', () => {
    const problems = (override: boolean) =>
      problemsOf(({ stack }) => {
        const inner = new cdk.TerraformStack(stack, 'inner');
        new KeyplaneProvider(inner, 'keyplane', { url: 'https://gateway.example.com', userId: 43 });
        if (override) stack.addOverride('terraform.required_version', '>= 1.11');
        new ApiKey(stack, 'Key', { name: 'a', budget: cdk.Lazy.anyValue({ produce: () => ({ usd: -1 }) }) as never });
        new ApiKey(inner, 'Key', { name: 'a', budget });
      });
    const expected = [expect.stringContaining('[prod/Key/Resource] `budget.usd`: ')];
    expect(problems(false)).toEqual(expected);
    expect(problems(true)).toEqual(expected);
  });

  it('is a count, which makes many keys of one name that Terraform builds', () => {
    const countOf = (opened: Opened, name: (index: string) => string) => {
      const count = cdk.TerraformCount.of(3);
      const key = new ApiKey(opened.stack, 'Key', { name: name(cdk.Token.asString(count.index)), budget });
      key.resource.count = count;
    };
    expect(problemsOf((opened) => countOf(opened, (index) => `key-${index}`))).toEqual([]);
    expect(problemsOf((opened) => countOf(opened, () => 'key'))).toEqual([
      '[prod/Key/Resource] `name`: Each of the keys would have this name. Build it from `each.key` or `count.index`.',
    ]);
  });

  it('is a budget that an override removes, which leaves the key without one', () => {
    const opened = openStack(flavour);
    new ApiKey(opened.stack, 'Key', { name: 'a', budget }).resource.addOverride('budget', null);
    expect(KeyplaneTesting.problems(opened.app)).toEqual([]);
    expect(warningsOf(opened)).toHaveLength(1);
  });

  it('is not a second warning about a budget that is an error', () => {
    const opened = openStack(flavour);
    for (const [index, wrong] of [5, '5', [budget], new Map()].entries()) {
      new ApiKey(opened.stack, `Key${index}`, { name: `a${index}`, budget: wrong as never });
    }
    expect(KeyplaneTesting.problems(opened.app)).toHaveLength(4);
    expect(warningsOf(opened)).toEqual([]);
  });

  it('is a default provider, of which a stack has one', () => {
    const problems = problemsOf(({ stack }) => {
      const second = new KeyplaneProvider(stack, 'second', { userId: 43 });
      new KeyplaneProvider(stack, 'third', { userId: 44, alias: 'third' });
      new ApiKey(stack, 'Key', { name: 'a', budget, provider: second });
    });
    expect(problems).toEqual([
      '[prod/second] `alias`: prod/keyplane is already the provider without one. Set an `alias`, and pass the provider to its keys.',
    ]);
  });

  it('is not a resource of another stack to wait for', () => {
    const { app, stack } = openStack(flavour);
    const key = new ApiKey(stack, 'Key', { name: 'a', budget });
    const other = new cdk.TerraformStack(app, 'other');
    const waiting = (id: string, dependsOn: readonly (typeof key | typeof key.resource)[]) => () =>
      new ApiKey(other, id, { name: 'b', budget, dependsOn });
    const text = 'is in another stack. Order the stacks instead: `stack.addDependency(other)`.';
    expect(waiting('A', [key])).toThrow(`other/A: \`dependsOn\`: prod/Key ${text}`);
    expect(waiting('B', [key.resource])).toThrow(`other/B: \`dependsOn\`: prod/Key/Resource ${text}`);
  });
});

/** Fields that a program without types may pass to a provider, and the errors. */
const PROVIDERS: readonly (readonly [string, object, string])[] = [
  ['the name of Terraform', { user_id: 43 }, '`user_id`: Unknown field. Did you mean `userId`?'],
  ['a misspelled name', { URL: 'https://a' }, '`URL`: Unknown field. Did you mean `url`?'],
  ['a name of something else', { token: 'x' }, '`token`: Unknown field. Expected one of '],
];

describe.each(FLAVOURS)('The provider of $name', (flavour: Flavour) => {
  const { KeyplaneProvider, KeyplaneTesting } = flavour.keys;

  it.each(PROVIDERS)('rejects %s, which the generated class would drop', (_, config, error) => {
    const { stack } = openStack(flavour);
    new KeyplaneProvider(stack, 'second', { alias: 'second', ...config });
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringContaining(`[prod/second] ${error}`)]);
  });

  it('rejects a user that is not a number, which the CDK would omit', () => {
    const { stack } = openStack(flavour);
    new KeyplaneProvider(stack, 'second', { alias: 'second', userId: Number('?') });
    expect(KeyplaneTesting.problems(stack)).toEqual(['[prod/second] `userId`: Expected a finite number, got NaN.']);
  });

  it('accepts every field that it has', () => {
    const { stack, provider } = openStack(flavour);
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(Object.getPrototypeOf(provider)));
    const fields = names.filter((name) => `${name}Input` in provider);
    expect(fields).toContain('userId');
    const config = Object.fromEntries(fields.map((name) => [name, '${var.x}']));
    new KeyplaneProvider(stack, 'second', { ...(config as object), alias: 'second' });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
  });

  it.each([null, 'https://gateway'])('rejects a configuration that is not an object: %j', (config) => {
    const { stack } = openStack(flavour);
    expect(() => new KeyplaneProvider(stack, 'second', config as never)).toThrow(
      'prod/second: Expected an object of props, got',
    );
  });
});

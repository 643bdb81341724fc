import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, openStack } from './flavours.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;

const SECRET = `sk-${'s3cret'.repeat(8)}`;

/** An app is text that people share: a credential in it is an error, whose message does not show it. */
describe.each(FLAVOURS)('Credentials in the code of an app of $name', (flavour) => {
  const { cdk, generated, keys } = flavour;
  const { ApiKey, KeyplaneTesting, KeySet, SmokeCheck } = keys;
  const problemsOf = (build: (stack: Stack) => void): readonly string[] => {
    const { app, stack } = openStack(flavour);
    build(stack);
    return KeyplaneTesting.problems(app);
  };

  it('are rejected in the provider: an access token, the API key for models, or a password in the address', () => {
    const { app } = openStack(flavour);
    const stack = new cdk.TerraformStack(app, 'open');
    new keys.KeyplaneProvider(stack, 'keyplane', {
      accessToken: 'literal-token',
      modelsKey: 'literal-key',
      url: 'https://me:hunter2@gateway',
    });
    const problems = KeyplaneTesting.problems(app).join('\n');
    expect(problems).toContain('[open/keyplane] `accessToken`: The token would be part of the configuration.');
    expect(problems).toContain('[open/keyplane] `modelsKey`: The API key would be part of the configuration.');
    expect(problems).toContain('[open/keyplane] `url`: The address contains a user or a password');
    expect(problems).not.toMatch(/literal-token|literal-key|hunter2/);
    const variable = new cdk.TerraformVariable(stack, 'token', { sensitive: true });
    const fine = new cdk.TerraformStack(app, 'fine');
    new keys.KeyplaneProvider(fine, 'keyplane', { accessToken: variable.stringValue, modelsKey: variable.stringValue });
    expect(KeyplaneTesting.problems(fine)).toEqual(
      KeyplaneTesting.problems(fine).filter((each) => !each.startsWith('[fine')),
    );
  });

  it.each([
    ['a name', { name: SECRET }],
    ['a group', { group: SECRET }],
    ['a model', { models: [SECRET] }],
    ['an address', { allowIps: [SECRET] }],
    ['an expiry', { expires: SECRET }],
    ['a window', { budget: { usd: 1, per: SECRET } }],
    ['tiers', { smartRouting: { tiers: { [SECRET]: 1, b: [SECRET] } } }],
    ['a former name', { renamedFrom: SECRET }],
  ])('are rejected in place of %s, and not shown', (_, props) => {
    const problems = problemsOf((stack) => new ApiKey(stack, 'Key', { name: 'a', ...props } as never));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).not.toContain(SECRET);
  });

  it('are rejected as the ID by which a key is imported', () => {
    const problems = problemsOf((stack) => {
      new ApiKey(stack, 'Key', { name: 'a', budget: { usd: 1 } }).resource.importFrom(SECRET);
      generated.apiKey.ApiKey.generateConfigForImport(stack, 'legacy', SECRET);
    });
    const text = 'It contains what looks like a credential';
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^\\[prod\\] \`import of keyplane_api_key\\.Key_\\w+\`: ${text}`)),
      expect.stringContaining(`[prod] \`import of keyplane_api_key.legacy\`: ${text}`),
    ]);
    expect(problems.join('\n')).not.toContain(SECRET);
  });

  it('are rejected in checks, IDs and overrides', () => {
    const problems = problemsOf((stack) => {
      const key = new ApiKey(stack, 'Key', { name: 'a' });
      key.resource.addOverride('group', SECRET);
      new SmokeCheck(stack, 'check', { key, module: 'chat', request: { prompt: `my key is ${SECRET}` } });
      new SmokeCheck(stack, 'other', { key, module: 'chat', model: SECRET });
    });
    // The group breaks its own rule and the rule about credentials.
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).not.toContain(SECRET);
    expect(() => problemsOf((stack) => new KeySet(stack, 'Keys', { keys: { a: {} } }).get(SECRET))).toThrow(
      'There is no key',
    );
  });
});

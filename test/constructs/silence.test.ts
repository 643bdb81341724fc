import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, NOW, openStack } from './flavours.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;

/** Mistakes that once passed silently: each is now reported, or has its effect. */
describe.each(FLAVOURS)('Nothing passes in silence with $name', (flavour) => {
  const { cdk, keys, generated } = flavour;
  const { ApiKey, KeyplaneTesting, KeySet, RequireBudget, SmokeCheck, TeamKeys } = keys;
  const problemsOf = (build: (stack: Stack) => void): readonly string[] => {
    const { app, stack } = openStack(flavour);
    build(stack);
    return KeyplaneTesting.problems(app);
  };
  const keyOf = (props: object) => problemsOf((stack) => new ApiKey(stack, 'Key', { name: 'a', ...props } as never));

  it.each([
    ['a misspelt field', { allowIPs: ['10.0.0.0/8'] }, '`allowIPs`: Unknown field. Did you mean `allowIps`?'],
    ['a field that there is not', { limit: 5 }, '`limit`: Unknown field. Expected one of name, enabled, group'],
    ['a misspelt part of a budget', { budget: { usd: 5, pre: 'month' } }, '`budget.pre`: Unknown field.'],
    [
      'a flag of a budget that is not a flag',
      { budget: { usd: 5, initial: 1 } },
      '`budget.initial`: Expected true, got a number',
    ],
    ['a list for an amount', { budget: { usd: [5] } }, '`budget.usd`: Expected a number, got a list.'],
    ['a text for an amount', { budget: { usd: ' 5 ' } }, '`budget.usd`: Expected digits such as 12.50, got " 5 ".'],
    ['no number', { budget: { usd: Number.NaN } }, '`budget.usd`: Expected a finite number, got NaN.'],
    ['null for a budget', { budget: null }, '`budget`: Expected a budget, got null.'],
    ['null for tiers', { smartRouting: null }, '`smartRouting`: Expected an object with `tiers`, got null.'],
    [
      'a function in tiers',
      { smartRouting: { tiers: () => 1 } },
      '`smartRouting`: The tiers are not valid JSON: JSON cannot hold a function.',
    ],
    [
      'NaN in tiers',
      { smartRouting: { tiers: [Number.NaN] } },
      '`smartRouting`: The tiers are not valid JSON: JSON has no NaN',
    ],
    [
      'a big integer in tiers',
      { smartRouting: { tiers: { a: 1n } } },
      '`smartRouting`: The tiers are not valid JSON: JSON cannot hold a bigint.',
    ],
    ['a hole in a list', { models: Object.assign(['a'], { 2: 'b' }) }, '`models`: Expected a string, got nothing.'],
    ['a text for a flag', { preventDestroy: 'yes' }, '`preventDestroy`: Expected true or false, got a string.'],
  ])('%s', (_, props, expected) => {
    const problems = keyOf(props);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`[prod/Key] ${expected}`);
  });

  it('tiers that hold themselves', () => {
    const tiers: Record<string, unknown> = {};
    tiers.self = tiers;
    expect(keyOf({ smartRouting: { tiers } })).toEqual([
      '[prod/Key] `smartRouting`: The tiers are not valid JSON: it contains itself.',
    ]);
  });

  it('a Date of another realm is a Date', async () => {
    const { runInNewContext } = await import('node:vm');
    expect(keyOf({ expires: runInNewContext("new Date('2030-01-01T00:00:00Z')") })).toEqual([]);
  });

  it('tokens for whole objects reach the provider, and false stays false', () => {
    const { stack } = openStack(flavour);
    const any = new cdk.TerraformVariable(stack, 'any', {});
    const declare = (name: string, budget: unknown) => new ApiKey(stack, name, { name, budget } as never);
    declare('whole', any.value);
    declare('below', { usd: 5, below: any.value });
    declare('initial', { usd: 5, initial: any.value });
    declare('false', { usd: 5, initial: false });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
    const budgets = KeyplaneTesting.keys(stack).map(({ name, attributes }) => [name, attributes.budget]);
    expect(Object.fromEntries(budgets)).toEqual({
      whole: '${var.any}',
      below: { usd: 5, below: '${var.any}' },
      initial: { usd: 5, initial: '${var.any}' },
      false: { usd: 5, per: 'lifetime' },
    });
  });

  it('two constructs that would become one block', () => {
    const problems = problemsOf((stack) => {
      new KeySet(stack, 'Default', { keys: { batch: { budget: { usd: 1 } } } });
      new ApiKey(stack, 'batch', { name: 'search-batch', budget: { usd: 500 } });
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^\[prod\/batch\/Resource\] keyplane_api_key\.batch_\w+ is already prod\/Default\/batch\/Resource/,
      ),
    ]);
  });

  it('a data source of a key is not a key', () => {
    const problems = problemsOf((stack) => {
      const { DataKeyplaneApiKey } = generated.dataKeyplaneApiKey;
      new DataKeyplaneApiKey(stack, '10', { name: 'x'.repeat(99) });
    });
    expect(problems).toEqual([]);
  });

  it('an id that Terraform refuses', () => {
    const problems = problemsOf((stack) => new ApiKey(stack, '10', { name: 'ten' }));
    expect(problems).toEqual([
      expect.stringMatching(/^\[prod\/10\/Resource\] Terraform rejects the label .*begin with a letter/),
    ]);
  });

  it('rules hold for generated classes and for overrides', () => {
    const problems = problemsOf((stack) => {
      new generated.apiKey.ApiKey(stack, 'raw', { name: 'x'.repeat(99), models: [], budget: { usd: -5 } });
      new generated.apiKey.ApiKey(stack, 'twice', { name: 'same', count: 2 });
      new ApiKey(stack, 'Key', { name: 'a' }).resource.addOverride('models', []);
    });
    for (const expected of [
      '[prod/raw] `name`: Invalid key name',
      '[prod/raw] `models`: The list is empty',
      '[prod/raw] `budget.usd`: The amount is not a number of 0 or more.',
      '[prod/twice] `name`: Each of the keys would have this name.',
      '[prod/Key/Resource] `models`: The list is empty',
    ]) {
      expect(problems).toContainEqual(expect.stringContaining(expected));
    }
    expect(problems).toHaveLength(5);
  });

  it('attributes that the provider does not have, or sets itself, are found in overrides', () => {
    const problems = problemsOf((stack) => {
      const key = new ApiKey(stack, 'Key', { name: 'a', budget: 'unlimited' });
      const { resource } = key;
      resource.addOverride('modles', ['alpha-chat-1']);
      resource.addOverride('status', 'disabled');
      resource.addOverride('lifecycle.ignore_changes', ['group']);
      resource.addOverride('Group', undefined);
      const { resource: check } = new SmokeCheck(stack, 'Check', { key, module: 'chat' });
      check.addOverride('expects', {});
      stack.addOverride('resource.keyplane_api_key.raw', { name: 'raw', budget: { unlimited: true }, grup: 'vip' });
    });
    expect(problems).toEqual([
      expect.stringContaining('[prod/Key/Resource] `status`: Read-only: only the provider sets it.'),
      expect.stringContaining('[prod/Key/Resource] `modles`: Unknown field. Expected one of'),
      expect.stringContaining('[prod] keyplane_api_key.raw: `grup`: Unknown field.'),
      expect.stringContaining('[prod/Check/Resource] `expects`: Unknown field.'),
    ]);
  });

  it('misspelled members of blocks and objects are found in overrides', () => {
    const rotation = { every: '90d', overlap: '7d' } as const;
    const problems = problemsOf((stack) => {
      const key = new ApiKey(stack, 'Key', { name: 'a', budget: 'unlimited' });
      key.resource.addOverride('timeouts', { crate: '5m', read: '1m' });
      key.resource.addOverride('lifecycle.prevent_destory', true);
      key.resource.addOverride('lifecycle.precondition', [{ condition: '${true}', errorMessage: 'x' }]);
      key.resource.addOverride('budget.perr', 'month');
      new ApiKey(stack, 'Rot', { name: 'b', budget: { usd: 1 }, rotation }).resource.addOverride(
        'rotation.quite',
        '1d',
      );
      new ApiKey(stack, 'Below', { name: 'c', budget: { usd: 9, below: { usd: 1 } } }).resource.addOverride(
        'budget.below.quotas',
        1,
      );
      const { resource: check } = new SmokeCheck(stack, 'Check', { key, module: 'chat', expect: { contains: ['a'] } });
      check.addOverride('expect.maxLatencyMs', 5);
      check.addOverride('timeouts', [{ create: '5m' }]);
      check.addOverride('dynamic.expect', { for_each: ['a'], content: { containz: ['b'] } });
      stack.addOverride('resource.keyplane_api_key.raw', {
        name: 'raw',
        budget: { unlimited: true },
        timeouts: { up: 1 },
      });
    });
    expect(problems.map((problem) => problem.replace(/ Expected one of .*/, ''))).toEqual([
      '[prod/Key/Resource] `budget.perr`: Unknown field.',
      '[prod/Key/Resource] `timeouts.crate`: Unknown field.',
      '[prod/Key/Resource] `lifecycle.prevent_destory`: Unknown field.',
      '[prod/Key/Resource] `lifecycle.precondition.errorMessage`: Unknown field. Did you mean `error_message`?',
      '[prod/Rot/Resource] `rotation.quite`: Unknown field.',
      '[prod/Below/Resource] `budget.below.quotas`: Unknown field.',
      '[prod] keyplane_api_key.raw: `timeouts.up`: Unknown field.',
      '[prod/Check/Resource] `expect.maxLatencyMs`: Unknown field. Did you mean `max_latency_ms`?',
      '[prod/Check/Resource] `timeouts.create`: Unknown field.',
      '[prod/Check/Resource] `expect.containz`: Unknown field.',
    ]);
  });

  it('members that Terraform or the provider takes pass in overrides, as does what only Terraform knows', () => {
    const problems = problemsOf((stack) => {
      const key = new ApiKey(stack, 'Key', { name: 'a', budget: { usd: 1 } });
      key.resource.addOverride('timeouts', { create: '5m', read: undefined });
      key.resource.addOverride('lifecycle', {
        create_before_destroy: true,
        ignore_changes: ['group'],
        replace_triggered_by: ['terraform_data.a'],
        postcondition: [{ condition: '${self.id > 0}', error_message: 'x' }],
      });
      key.resource.addOverride('rotation', '${var.rotation}');
      key.resource.addOverride('rotate_when_changed', { any: 'name' });
      const { resource: check } = new SmokeCheck(stack, 'Check', { key, module: 'chat' });
      check.addOverride('dynamic.expect', { for_each: ['a'], iterator: 'each', content: { contains: ['b'] } });
      check.addOverride('request', { any_name: 1 });
    });
    expect(problems).toEqual([]);
  });

  it('guardrails see what other aspects, overrides of the stack and stacks of generated classes bring', () => {
    const { app, stack } = openStack(flavour);
    const { resource } = new ApiKey(stack, 'Key', { name: 'a', budget: { usd: 5 } });
    cdk.Aspects.of(app).add(new RequireBudget());
    cdk.Aspects.of(stack).add(new RequireBudget({ atMost: { usd: 50 } }));
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    stack.addOverride(`resource.keyplane_api_key.${resource.friendlyUniqueId}.budget`, { usd: 500 });
    stack.addOverride('resource.keyplane_api_key.raw', { name: 'raw' });
    const other = new cdk.TerraformStack(app, 'other');
    new generated.provider.KeyplaneProvider(other, 'keyplane', {});
    new generated.apiKey.ApiKey(other, 'bare', { name: 'bare' });
    const later = new ApiKey(stack, 'Later', { name: 'later', budget: { usd: 5 } });
    cdk.Aspects.of(stack).add({
      visit: (node) => {
        if (node === later.resource) later.resource.addOverride('budget', { unlimited: true });
      },
    });
    const problems = KeyplaneTesting.problems(app);
    expect(problems).toContain('[prod/Key/Resource] RequireBudget: its budget of $500 is more than $50.');
    expect(problems).toContain('[prod] keyplane_api_key.raw: RequireBudget: it has no budget. Set `budget`.');
    expect(problems).toContain('[prod/Later/Resource] RequireBudget: its budget is unlimited. Set an amount.');
    expect(problems).toContain('[other/bare] RequireBudget: it has no budget. Set `budget`.');
  });

  it('guardrails reject attributes whose changes Terraform ignores, and unknown props', () => {
    const { app, stack } = openStack(flavour);
    const { resource } = new ApiKey(stack, 'Key', { name: 'a', budget: { usd: 5 } });
    resource.lifecycle = { ignoreChanges: ['budget'] };
    cdk.Aspects.of(app).add(new RequireBudget());
    expect(KeyplaneTesting.problems(app)).toEqual([
      expect.stringContaining('Terraform ignores changes of its `budget`'),
    ]);
    expect(() => new RequireBudget({ atmost: { usd: 5 } } as never)).toThrow(
      'RequireBudget: `atmost`: Unknown field. Did you mean `atMost`?',
    );
    expect(() => new keys.RequireAllowlist({ models: 'alpha' } as never)).toThrow(
      '`models` must be true, false or a list.',
    );
    expect(() => new RequireBudget({ except: 'a*' } as never)).toThrow('`except` must be a list of names.');
  });

  it('an app of the other CDK', () => {
    const [other] = FLAVOURS.filter(({ name }) => name !== flavour.name) as [Flavour];
    const stack = new other.cdk.TerraformStack(other.keys.KeyplaneTesting.app(NOW), 'prod');
    const expected = 'prod/Key: The app uses another CDK than this construct.';
    expect(() => new ApiKey(stack, 'Key', { name: 'a' })).toThrow(expected);
    // A guardrail of the other package is a guardrail.
    const mixed = openStack(flavour);
    new ApiKey(mixed.stack, 'Key', { name: 'a' });
    cdk.Aspects.of(mixed.app).add(new other.keys.RequireBudget());
    expect(KeyplaneTesting.problems(mixed.app)).toEqual([
      '[prod/Key/Resource] RequireBudget: it has no budget. Set `budget`.',
    ]);
  });

  it('errors in a later stack are reported before any stack is written', () => {
    const outdir = mkdtempSync(join(tmpdir(), 'keyplane-silence-'));
    try {
      const app = new cdk.App({ outdir, context: { [keys.NOW]: NOW } });
      for (const id of ['one', 'two', 'three']) {
        const { stack } = openStack(flavour, id, app);
        new ApiKey(stack, 'Key', { name: id, ...(id === 'one' ? {} : { models: [] }) });
      }
      expect(() => app.synth()).toThrow(/\[one\] two\/Key: `models`.*\n.*\[one\] three\/Key: `models`/s);
      expect(() => readFileSync(join(outdir, 'stacks/one/cdk.tf.json'))).toThrow('ENOENT');
    } finally {
      rmSync(outdir, { recursive: true });
    }
  });

  it('one account in several notations', () => {
    const app = KeyplaneTesting.app(NOW);
    for (const [i, url] of ['https://g.example', 'https://G.example:443/', 'http://g.example'].entries()) {
      const stack = new cdk.TerraformStack(app, `s${i}`);
      new keys.KeyplaneProvider(stack, 'keyplane', { url, userId: 1 });
      new ApiKey(stack, 'Key', { name: 'same' });
    }
    expect(KeyplaneTesting.problems(app)).toEqual([
      expect.stringContaining('[s1/Key/Resource] The name "same" is already used by s0/'),
    ]);
  });

  it.each([
    ['a Map of keys', { keys: new Map() }, 'prod/Keys: `keys`: Expected an object of keys by name, got a Map.'],
    ['a list of keys', { keys: [{ name: 'a' }] }, 'prod/Keys: `keys`: Expected an object of keys by name, got a list.'],
    ['a name in an entry', { keys: { a: { name: 'b' } } }, 'prod/Keys: `keys`: "a" must not have a `name`'],
    ['no fields', { keys: { a: null } }, 'prod/Keys: `keys`: Expected an object of fields for "a", got null.'],
    ['a misspelt prop', { key: {} }, 'prod/Keys: `key`: Unknown field.'],
    [
      'a name that is still there',
      { keys: { a: {}, b: { renamedFrom: 'a' } } },
      '"a" must not exist while "b" is renamed',
    ],
  ])('%s', (_, props, expected) => {
    const { stack } = openStack(flavour);
    expect(() => new KeySet(stack, 'Keys', props as never)).toThrow(expected);
  });

  it('no props, and no key', () => {
    const { stack } = openStack(flavour);
    expect(() => new ApiKey(stack, 'Key', undefined as never)).toThrow(
      'prod/Key: Expected an object of props, got nothing.',
    );
    expect(() => new keys.RotatingKey(stack, 'Rotating', null as never)).toThrow(
      'prod/Rotating: Expected an object of props, got null.',
    );
    expect(() => new SmokeCheck(stack, 'Check', { module: 'chat' } as never)).toThrow(
      'prod/Check: `key`: Expected a key',
    );
    expect(() => new TeamKeys(stack, 'Team', { team: 't', members: ['a'] } as never)).toThrow(
      'prod/Team: `budget`: A budget without a ceiling',
    );
  });

  it('a key that is called otherwise moves to its new id', () => {
    const before = openStack(flavour);
    const old = new KeySet(before.stack, 'Keys', { keys: { 'prod/a': {} } }).get('prod/a').resource.friendlyUniqueId;
    const { stack } = openStack(flavour);
    const set = new KeySet(stack, 'Keys', { keys: { 'prod-b': { renamedFrom: 'prod/a' } } });
    const team = new TeamKeys(stack, 'Team', {
      team: 't',
      members: { grace: { formerly: 'ada' } },
      budget: { usd: 1 },
    });
    const { moved } = JSON.parse(cdk.Testing.synth(stack, true));
    expect(moved).toEqual([
      { from: `keyplane_api_key.${old}`, to: `keyplane_api_key.${set.get('prod-b').resource.friendlyUniqueId}` },
      {
        from: expect.stringMatching(/\.Team_ada_/),
        to: `keyplane_api_key.${team.get('grace').resource.friendlyUniqueId}`,
      },
    ]);
    expect(KeyplaneTesting.keys(stack)).toHaveLength(2);
    expect(KeyplaneTesting.key(stack, 't-grace').attributes['//']).toMatchObject({
      keyplane: { renamedFrom: 't-ada' },
    });
  });

  it.each([
    ['an unknown expectation', { expect: { contain: 'x' } }, '`expect.contain`: Unknown field.'],
    [
      'an assertion that is not a number',
      { expect: { maxLatencyMs: 'fast' } },
      '`expect.maxLatencyMs`: Expected a whole number above 0.',
    ],
    ['an unknown format', { expect: { format: 'gif' } }, '`expect.format`: Expected one of png, jpeg, webp, mp4.'],
    ['another word for what comes of it', { onFailure: 'Fail' }, '`onFailure`: Expected `fail` or `warn`.'],
    ['a name that only Terraform knows', { name: '${x} y' }, '`name`: The value is not resolved yet.'],
    ['a name that is not a string', { name: 7 }, '`name`: Expected a string.'],
    ['a misspelt field', { timeOut: '5s' }, '`timeOut`: Unknown field. Did you mean `timeout`?'],
  ])('%s of a check', (_, props, expected) => {
    const problems = problemsOf((stack) => {
      const key = new ApiKey(stack, 'Key', { name: 'a' });
      new SmokeCheck(stack, 'check', { key, module: 'chat', ...(props as object) });
    });
    expect(problems).toEqual([expect.stringContaining(`[prod/check] ${expected}`)]);
  });

  it('a member for whom nothing is left', () => {
    const { stack } = openStack(flavour);
    const team = new TeamKeys(stack, 'Team', { team: 't', members: ['a', 'b', 'c'], budget: { quota: 2 } });
    expect(team.node.metadata.map(({ data }) => data)).toEqual([
      expect.stringContaining('The share of "c" in the budget is rounded to 0'),
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { FLAVOURS, openStack } from './flavours.ts';

const SETTINGS = { models: ['alpha-chat-1'], budget: { usd: 5 }, smartRouting: {} };

/** Settings that look like those of a valid key, and the errors in them. */
const ALMOST_EQUAL: readonly (readonly [string, object, RegExp])[] = [
  ['tiers that got lost', { smartRouting: { tiers: undefined } }, /`smartRouting.tiers` is missing/],
  ['a misspelled field that is undefined', { modells: undefined }, /`modells`: Unknown field/],
  ['a misspelled part that is undefined', { budget: { usd: 5, perr: undefined } }, /`budget.perr`: Unknown field/],
  ['a number that is none', { budget: { usd: Number.NaN } }, /`budget.usd`: Expected a finite number/],
  ['a hole in a list', { models: Array(1) }, /`models`: Expected a string, got nothing/],
  ['null in a list', { models: [null] }, /`models`: Expected a string, got null/],
];

const OVERRIDES: readonly (readonly [string, string, unknown, RegExp])[] = [
  ['an attribute that does not exist', 'modells', ['a'], /`modells`: Unknown field/],
  ['a read-only attribute', 'id', 5, /`id`: Read-only/],
  [
    'a comment with a credential',
    '//.note',
    `sk-${'a1'.repeat(24)}`,
    /`\/\/`: It contains what looks like a credential/,
  ],
  ['an invalid name', 'name', ' lead', /`name`: Invalid key name/],
  ['a fixed name of many keys', 'count', 2, /`name`: Each of the keys would have this name/],
  ['a past expiry', 'expires_at', '2020-01-01T00:00:00Z', /is in the past/],
];

describe.each(FLAVOURS)('A key of $name with the settings of valid ones', (flavour) => {
  const { cdk, keys, generated } = flavour;
  const { ApiKey, KeyplaneTesting, RequireBudget } = keys;
  const withValidKeys = () => {
    const opened = openStack(flavour);
    for (const id of ['First', 'Second']) new ApiKey(opened.stack, id, { name: id, ...SETTINGS });
    return opened;
  };
  const third = { path: 'prod/Third' };

  it.each(ALMOST_EQUAL)('is not valid for its likeness: %s', (_, props, error) => {
    const { stack } = withValidKeys();
    new ApiKey(stack, 'Third', { name: 'third', ...SETTINGS, ...props });
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringMatching(error)]);
  });

  it.each(OVERRIDES)('is not valid for its likeness: %s', (_, attribute, value, error) => {
    const { stack } = withValidKeys();
    new ApiKey(stack, 'Third', { name: 'third', ...SETTINGS }).resource.addOverride(attribute, value);
    const problems = KeyplaneTesting.problems(stack);
    expect(problems).toEqual([expect.stringMatching(error)]);
    expect(problems).toEqual([expect.stringContaining(third.path)]);
  });

  it('has the name of its own class judged', () => {
    const { stack } = withValidKeys();
    const { name: _, '//': _comment, ...attributes } = KeyplaneTesting.key(stack, 'First').attributes;
    new generated.apiKey.ApiKey(stack, 'Third', { ...attributes, name: 'x'.repeat(51) });
    expect(KeyplaneTesting.problems(stack)).toEqual([
      expect.stringMatching(/^\[prod\/Third\] `name`: Invalid key name/),
    ]);
  });

  it('is judged by guardrails of its own', () => {
    const { stack } = withValidKeys();
    const strict = new ApiKey(stack, 'Third', { name: 'third', ...SETTINGS });
    cdk.Aspects.of(strict).add(new RequireBudget({ atMost: { usd: 1 } }));
    const shared = new RequireBudget();
    cdk.Aspects.of(stack).add(shared);
    new ApiKey(stack, 'Fourth', { name: 'fourth', ...SETTINGS, budget: 'unlimited' });
    expect(KeyplaneTesting.problems(stack)).toEqual([
      expect.stringMatching(/prod\/Third.*its budget of 5 USD is more than 1 USD|prod\/Third.*more than/),
      expect.stringMatching(/prod\/Fourth.*its budget is unlimited/),
    ]);
  });

  it('is validated again when it changes before the next synthesis', () => {
    const { stack } = withValidKeys();
    const key = new ApiKey(stack, 'Third', { name: 'third', ...SETTINGS });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
    key.resource.addOverride('budget', { usd: 5, perr: 'month' });
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringMatching(/`budget.perr`: Unknown field/)]);
  });
});

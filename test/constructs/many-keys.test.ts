import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBudget } from '../../constructs/cdk/keys/split-budget.ts';
import { renderDecimal, tryParseDecimal } from '../../src/domain/index.ts';
import { FLAVOURS, openStack } from './flavours.ts';

const cents = (text: string): bigint => {
  const { digits, scale } = tryParseDecimal(text) ?? { digits: -1n, scale: 0 };
  return digits * 10n ** BigInt(18 - scale);
};

describe('A budget that is split', () => {
  const shares = (names: readonly string[], share = 1) => new Map(names.map((name) => [name, share]));

  it.each([
    ['dollars to the cent', { usd: 100 }, { ada: '33.34', bob: '33.33', cy: '33.33' }],
    ['as fine as it is written', { usd: '0.001' }, { ada: '0.001', bob: '0', cy: '0' }],
    ['nothing', { usd: 0 }, { ada: '0', bob: '0', cy: '0' }],
  ])('gives %s', (_, total, parts) => {
    const split = splitBudget(total, shares(['cy', 'ada', 'bob']));
    expect(Object.fromEntries([...split].map(([name, { usd }]) => [name, usd]))).toEqual(parts);
  });

  it('keeps its form, and splits what it is filled up at', () => {
    const split = splitBudget(
      { quota: 10, below: { quota: 5 } },
      new Map([
        ['a', 3],
        ['b', 1],
      ]),
    );
    expect(Object.fromEntries(split)).toEqual({
      a: { quota: 8, below: { quota: 3 } },
      b: { quota: 2, below: { quota: 1 } },
    });
    expect(splitBudget({ usd: 4, per: 'month' }, shares(['a', 'b'])).get('b')).toEqual({ usd: '2', per: 'month' });
  });

  it('splits what it is filled up at as finely as the whole, so that it is never more', () => {
    const split = splitBudget(
      { usd: '10', below: { usd: '9.999' } },
      new Map([
        ['a', 3],
        ['b', 3],
        ['c', 1],
      ]),
    );
    for (const part of split.values()) expect(Number(part.below?.usd)).toBeLessThanOrEqual(Number(part.usd));
  });

  it('adds up to the total exactly, and is the same in any order', () => {
    const totals = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
      .map(([digits, scale]) => renderDecimal({ digits, scale }));
    const members = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 999 }), {
      minKeys: 1,
      maxKeys: 20,
    });
    fc.assert(
      fc.property(totals, members, (usd, weights) => {
        const split = splitBudget({ usd }, new Map(Object.entries(weights)));
        const other = splitBudget({ usd }, new Map(Object.entries(weights).reverse()));
        expect([...split].reduce((sum, [, part]) => sum + cents(String(part.usd)), 0n)).toBe(cents(usd));
        expect(new Map([...other].sort())).toEqual(new Map([...split].sort()));
      }),
    );
  });
});

describe.each(FLAVOURS)('Many keys of $name', (flavour) => {
  const { keys } = flavour;
  const { KeySet, KeyplaneTesting, TeamKeys } = keys;

  it('take over what the set has for all, field by field', () => {
    const { stack } = openStack(flavour);
    const set = new KeySet(stack, 'Keys', {
      defaults: { group: 'default', models: ['alpha-chat-1'], budget: { usd: 5 } },
      keys: { a: {}, b: { models: 'any', budget: 'unlimited', enabled: false } },
    });
    expect(KeyplaneTesting.key(stack, 'a').attributes).toMatchObject({ models: ['alpha-chat-1'], budget: { usd: 5 } });
    const b = { group: 'default', models: ['any'], budget: { unlimited: true }, enabled: false };
    expect(KeyplaneTesting.key(stack, 'b').attributes).toMatchObject(b);
    expect(set.get('b').keyName).toBe('b');
    expect(() => set.get('c')).toThrow('prod/Keys: There is no key "c": there are a, b.');
  });

  it('keep the shared value where a key sets undefined', () => {
    const { stack } = openStack(flavour);
    const undefinedFields = { models: undefined, budget: undefined } as object;
    new KeySet(stack, 'Keys', {
      defaults: { models: ['alpha-chat-1'], budget: { usd: 5 } },
      keys: { a: undefinedFields },
    });
    new TeamKeys(stack, 'Team', {
      team: 't',
      members: { b: undefinedFields },
      models: ['alpha-chat-1'],
      budget: { usd: 5 },
    });
    for (const name of ['a', 't-b']) {
      expect(KeyplaneTesting.key(stack, name).attributes).toMatchObject({ models: ['alpha-chat-1'] });
    }
    expect(KeyplaneTesting.key(stack, 'a').attributes).toMatchObject({ budget: { usd: 5 } });
  });

  it('are the same resources in any order', () => {
    const names = ['b', 'a/b', 'a%2Fb', 'a-b', 'k10', 'k2', 'constructor', 'toString'];
    const addresses = (order: readonly string[]) => {
      const { stack } = openStack(flavour);
      const set = new KeySet(stack, 'Keys', { keys: Object.fromEntries(order.map((name) => [name, {}])) });
      const team = new TeamKeys(stack, 'Team', { team: 't', members: order, budget: { usd: 1 } });
      return order
        .map((name) => [name, set.get(name).resource.friendlyUniqueId, team.get(name).resource.friendlyUniqueId])
        .sort();
    };
    const once = addresses(names);
    expect(addresses([...names].reverse())).toEqual(once);
    expect(new Set(once.flatMap(([, set, team]) => [set, team])).size).toBe(names.length * 2);
  });

  it('split the budget of their team', () => {
    const { stack } = openStack(flavour);
    new TeamKeys(stack, 'Team', {
      team: 'search',
      members: { grace: { share: 2, models: 'any' }, ada: {} },
      models: ['alpha-chat-1'],
      budget: { usd: 100, per: 'month' },
    });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
    expect(KeyplaneTesting.key(stack, 'search-grace').attributes).toMatchObject({
      models: ['any'],
      budget: { usd: '66.67', per: 'month' },
    });
    expect(KeyplaneTesting.key(stack, 'search-ada').attributes).toMatchObject({
      models: ['alpha-chat-1'],
      budget: { usd: '33.33', per: 'month' },
    });
  });

  it.each([
    ['nobody', { members: [] }, 'prod/Team: `members`: The team is empty.'],
    ['somebody twice', { members: ['a', 'a'] }, 'prod/Team: `members`: "a" occurs twice.'],
    ['a text', { members: 'ada' }, 'prod/Team: `members`: Expected a list of names or an object, got a string.'],
    ['half a share', { members: { a: { share: 0.5 } } }, 'The share of "a" must be a whole number above 0, not 0.5.'],
    [
      'what nobody has',
      { members: { a: undefined } },
      'prod/Team: `members`: Expected an object of fields for "a", got nothing.',
    ],
    ['a budget of its own', { members: { a: { budget: { usd: 1 } } } }, '"a" must not have a `budget`'],
    ['no team', { team: undefined }, 'prod/Team: `team`: Expected a string, got nothing.'],
    ['an amount below 0', { budget: { usd: -3 } }, 'prod/Team: `budget.usd`: The amount is not a number of 0 or more.'],
    ['too much in all', { budget: { usd: 2e10 } }, 'prod/Team: `budget.usd`: The amount is too large.'],
    [
      'half a unit',
      { budget: { quota: 1.5 } },
      'prod/Team: `budget.quota`: Quota units must be a whole number of 0 or more.',
    ],
    ['no ceiling', { budget: 'unlimited' }, 'prod/Team: `budget`: A budget without a ceiling cannot be split.'],
    [
      'what only Terraform knows',
      { budget: { usd: '${var.total}' } },
      'prod/Team: `budget`: The budget is not resolved yet',
    ],
    [
      'a name that is still there',
      { members: { a: {}, b: { formerly: 'a' } } },
      '"a" must not exist while it is the former name of "b"',
    ],
  ])('are not made for %s', (_, props, expected) => {
    const { stack } = openStack(flavour);
    const team = { team: 't', members: ['a', 'b'], budget: { usd: 1 }, ...props } as never;
    expect(() => new TeamKeys(stack, 'Team', team)).toThrow(expected);
  });
});

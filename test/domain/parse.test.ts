import { describe, expect, it } from 'vitest';
import {
  type BudgetInput,
  budgetOfInput,
  budgetProblems,
  type Diagnostic,
  hasUnknown,
  KEY_FIELDS,
  parseValue,
  tryParseProfileName,
  UNKNOWN,
} from '../../src/domain/index.ts';

const codes = (parsed: ReturnType<typeof parseValue>) =>
  parsed.diagnostics.map(({ code, path, severity }) => `${severity} ${code} ${JSON.stringify(path)}`);

const asLine = ({ code, path, severity, ...rest }: Diagnostic): string =>
  `${severity} ${code} ${JSON.stringify(path)} ${JSON.stringify(rest, (_, part) => (part === undefined ? 'undefined' : part))}`;

describe('a value of a field', () => {
  it('is brought to normal form: sets sorted and without repetition, rules canonical, JSON canonical', () => {
    expect(parseValue(KEY_FIELDS.models, ['b', 'a']).value).toEqual(['a', 'b']);
    expect(parseValue(KEY_FIELDS.allowIps, ['203.0.113.7', '10.0.0.0/8']).value).toEqual([
      '10.0.0.0/8',
      '203.0.113.7/32',
    ]);
    expect(parseValue(KEY_FIELDS.expires, '1970-01-01T00:01:00Z').value).toBe(60);
    expect(parseValue(KEY_FIELDS.enabled, false)).toEqual({ value: false, diagnostics: [] });
    expect(parseValue(KEY_FIELDS.group, 'vip')).toEqual({ value: 'vip', diagnostics: [] });
    expect(parseValue(KEY_FIELDS.smartRouting, '{ "b": 1, "a": [] }').value).toBe('{"a":[],"b":1}');
    expect(parseValue(KEY_FIELDS.smartRouting, '')).toEqual({ value: '', diagnostics: [] });
    expect(parseValue(KEY_FIELDS.budget, { usd: '25', per: 'month' }).value).toMatchObject({
      kind: 'window',
      per: 'month',
    });
  });

  it('is refused at its place', () => {
    expect(codes(parseValue(KEY_FIELDS.models, ['any', 'a']))).toEqual(['error manifest.invalid-value [0]']);
    const credential = parseValue(KEY_FIELDS.expires, `sk-${'x'.repeat(20)}`);
    expect(codes(credential)).toEqual(['error manifest.secret-in-manifest []']);
  });

  it('has no diagnostics where it is JSON that nothing would lose', () => {
    expect(parseValue(KEY_FIELDS.smartRouting, '{"a":1}')).toEqual({ value: '{"a":1}', diagnostics: [] });
  });

  it('names the first occurrence of an entry that occurs three times', () => {
    const { diagnostics } = parseValue(KEY_FIELDS.models, ['a', 'a', 'a']);
    expect(diagnostics.map(({ path, data }) => [path, data])).toEqual([
      [[1], { first: 0 }],
      [[2], { first: 0 }],
    ]);
  });

  it('is known to a later run where any part is, and null does not count', () => {
    expect(hasUnknown({ usd: '5', below: null })).toBe(false);
    expect(hasUnknown({ usd: '5', below: { usd: UNKNOWN } })).toBe(true);
  });

  it('is null when the border read the word that lifts the restriction, and only where there is such a word', () => {
    expect(parseValue(KEY_FIELDS.models, null)).toEqual({ value: null, diagnostics: [] });
    expect(parseValue(KEY_FIELDS.expires, null)).toEqual({ value: null, diagnostics: [] });
    expect(codes(parseValue(KEY_FIELDS.group, null))).toEqual(['error manifest.invalid-value []']);
  });

  it.each([
    ['an empty list', parseValue(KEY_FIELDS.models, []), 'error manifest.empty-allowlist []'],
    [
      'the word for no restriction in a list',
      parseValue(KEY_FIELDS.models, ['a', 'any']),
      'error manifest.invalid-value [1]',
    ],
    ['a list of that word', parseValue(KEY_FIELDS.models, ['any']), 'error manifest.invalid-value [0]'],
    ['a model ID with a comma', parseValue(KEY_FIELDS.models, ['a,b']), 'error manifest.invalid-value [0]'],
    [
      'an API key among models',
      parseValue(KEY_FIELDS.models, [`sk-${'x'.repeat(20)}`]),
      'error manifest.secret-in-manifest [0]',
    ],
    [
      'an address with host bits set',
      parseValue(KEY_FIELDS.allowIps, ['10.1.2.3/8']),
      'error manifest.invalid-ip-rule [0]',
    ],
    ['a blank before a group', parseValue(KEY_FIELDS.group, ' vip'), 'error manifest.invalid-value []'],
    [
      'a day that does not exist',
      parseValue(KEY_FIELDS.expires, '2027-02-30T00:00:00Z'),
      'error manifest.invalid-value []',
    ],
    ['null as tiers', parseValue(KEY_FIELDS.smartRouting, 'null'), 'error manifest.invalid-value []'],
    [
      'a number that JavaScript rounds',
      parseValue(KEY_FIELDS.smartRouting, '[1e400]'),
      'error manifest.invalid-value []',
    ],
    [
      'a budget in two units',
      parseValue(KEY_FIELDS.budget, { usd: '1', quota: '1' }),
      'error manifest.invalid-amount []',
    ],
    [
      'a top-up above the budget',
      parseValue(KEY_FIELDS.budget, { usd: '1', below: { usd: '2' } }),
      'error manifest.invalid-amount ["below"]',
    ],
    [
      'an unlimited budget with a window',
      parseValue(KEY_FIELDS.budget, { unlimited: true, per: 'day' }),
      'error manifest.invalid-value ["per"]',
    ],
  ])('is rejected: %s', (_what, parsed, code) => {
    expect(parsed.value).toBeUndefined();
    expect(codes(parsed)).toEqual([code]);
  });

  it('is rejected with its value, what was expected, and the remedy, but never with a credential', () => {
    const credential = `sk-${'x'.repeat(20)}`;
    const { models, allowIps, group, expires, smartRouting, budget } = KEY_FIELDS;
    const rejected = [
      parseValue(models, []),
      parseValue(allowIps, []),
      parseValue({ kind: 'textSet' }, []),
      parseValue(models, ['a', 'any']),
      parseValue(models, ['a,b', 'c']),
      parseValue({ kind: 'text', pattern: /^x$/ }, 'y'),
      parseValue(models, [credential]),
      parseValue({ kind: 'text' }, credential),
      parseValue(allowIps, ['10.1.2.3/8', '10.0.0.0/33']),
      parseValue({ kind: 'ipSet' }, ['nowhere']),
      parseValue(allowIps, [credential]),
      parseValue({ kind: 'ipSet' }, [credential]),
      parseValue(group, ' vip'),
      parseValue(group, null),
      parseValue(expires, 'soon'),
      parseValue(expires, credential),
      parseValue({ kind: 'instant', accepts: 'a time' }, 'soon'),
      parseValue({ kind: 'instant' }, credential),
      parseValue(smartRouting, '{'),
      parseValue(smartRouting, 'null'),
      parseValue(smartRouting, '[1.0000000000000001]'),
      parseValue(smartRouting, '{"a":1,"a":2}'),
      parseValue(budget, { usd: '-1' }),
      parseValue(budget, { usd: 'x', below: { usd: '2' } }),
      parseValue(budget, { usd: '0.0000000000000000001' }),
      parseValue(budget, { usd: '1000000000.1' }),
      parseValue(budget, { quota: '1.5' }),
      parseValue(budget, { quota: ' ' }),
      parseValue(budget, { quota: '-1' }),
      parseValue(budget, { quota: '500000000000001' }),
      parseValue(budget, {}),
      parseValue(budget, { usd: '1', quota: '1' }),
      parseValue(budget, { usd: '1', per: 'year' }),
      parseValue(budget, { usd: '1', below: { usd: '2' } }),
      parseValue(budget, { usd: '1', below: {} }),
      parseValue(budget, { usd: '1', below: { quota: 'x' } }),
      parseValue(budget, { usd: '1', per: 'day', initial: true }),
      parseValue(budget, { unlimited: true, usd: '1', initial: true }),
    ];
    expect(rejected.map(({ value }) => value)).toEqual(rejected.map(() => undefined));
    expect(rejected.map(({ diagnostics }) => diagnostics.map(asLine).join(' / '))).toMatchInlineSnapshot(`
      [
        "error manifest.empty-allowlist [] {"message":"The list is empty: the gateway rejects every request of a key without models.","expected":"at least one entry"}",
        "error manifest.empty-allowlist [] {"message":"The list is empty: the gateway treats an empty list as no restriction.","expected":"at least one entry"}",
        "error manifest.empty-allowlist [] {"message":"The list is empty.","expected":"at least one entry"}",
        "error manifest.invalid-value [1] {"message":"The list contains \`any\`, which lifts the restriction and cannot be an entry.","found":"\\"any\\"","expected":"either \`any\` or a list","data":{"unrestricted":"any"}}",
        "error manifest.invalid-value [0] {"message":"Invalid model ID.","found":"\\"a,b\\"","expected":"a model ID without commas, control characters or surrounding spaces"}",
        "error manifest.invalid-value [] {"message":"Invalid value.","found":"\\"y\\""}",
        "error manifest.secret-in-manifest [0] {"message":"The model ID looks like a credential.","found":"‹secret›","expected":"a value that may be shown","hint":"Settings are shown everywhere. If this is a credential, revoke it."}",
        "error manifest.secret-in-manifest [] {"message":"The value looks like a credential.","found":"‹secret›","expected":"a value that may be shown","hint":"Settings are shown everywhere. If this is a credential, revoke it."}",
        "error manifest.invalid-ip-rule [0] {"message":"Invalid address: the address has bits beyond its /8 prefix.","found":"\\"10.1.2.3/8\\"","expected":"an IP address or a canonical CIDR range","data":{"corrected":"10.0.0.0/8"},"hint":"Did you mean \`10.0.0.0/8\`?"} / error manifest.invalid-ip-rule [1] {"message":"Invalid address: the prefix is longer than 32 bits.","found":"\\"10.0.0.0/33\\"","expected":"an IP address or a canonical CIDR range"}",
        "error manifest.invalid-ip-rule [0] {"message":"Invalid address: not an IP address or CIDR range.","found":"\\"nowhere\\"","expected":""}",
        "error manifest.secret-in-manifest [0] {"message":"The address looks like a credential.","found":"‹secret›","expected":"a value that may be shown","hint":"Settings are shown everywhere. If this is a credential, revoke it."}",
        "error manifest.secret-in-manifest [0] {"message":"The address looks like a credential.","found":"‹secret›","expected":"a value that may be shown","hint":"Settings are shown everywhere. If this is a credential, revoke it."}",
        "error manifest.invalid-value [] {"message":"Invalid group.","found":"\\" vip\\"","expected":"the name of one of the account’s groups, or an empty string for the account’s own"}",
        "error manifest.invalid-value [] {"message":"The value must not be null.","found":"null"}",
        "error manifest.invalid-value [] {"message":"Invalid expiry.","found":"\\"soon\\"","expected":"a time with its offset, such as \`2027-03-31T00:00:00Z\`, or \`never\`"}",
        "error manifest.secret-in-manifest [] {"message":"The expiry looks like a credential.","found":"‹secret›","expected":"a value that may be shown","hint":"Settings are shown everywhere. If this is a credential, revoke it."}",
        "error manifest.invalid-value [] {"message":"Invalid time.","found":"\\"soon\\"","expected":"a time"}",
        "error manifest.secret-in-manifest [] {"message":"The time looks like a credential.","found":"‹secret›","expected":"a value that may be shown","hint":"Settings are shown everywhere. If this is a credential, revoke it."}",
        "error manifest.invalid-value [] {"message":"The value is not valid JSON.","expected":"JSON other than null"}",
        "error manifest.invalid-value [] {"message":"The value must not be null.","found":"null","expected":"JSON other than null"}",
        "error manifest.invalid-value [] {"message":"JSON cannot hold the number 1.0000000000000001 exactly.","found":"1.0000000000000001","expected":"a number of at most 15 digits","hint":"Quote it if the gateway accepts a string."}",
        "error manifest.invalid-value [] {"message":"\\"a\\" occurs twice in one object.","found":"\\"a\\"","expected":"each member once"}",
        "error manifest.invalid-amount ["usd"] {"message":"The amount is not a number of 0 or more.","expected":"an amount of US dollars from 0 to 1000000000","found":"-1"}",
        "error manifest.invalid-amount ["usd"] {"message":"The amount is not a number of 0 or more.","expected":"an amount of US dollars from 0 to 1000000000","found":"x"}",
        "error manifest.invalid-amount ["usd"] {"message":"The amount has too many decimals.","expected":"at most 18 decimals","found":"0.0000000000000000001"}",
        "error manifest.invalid-amount ["usd"] {"message":"The amount is too large.","expected":"at most 1000000000 US dollars","found":"1000000000.1"}",
        "error manifest.invalid-amount ["quota"] {"message":"Quota units must be a whole number of 0 or more.","expected":"whole quota units","found":"1.5"}",
        "error manifest.invalid-amount ["quota"] {"message":"Quota units must be a whole number of 0 or more.","expected":"whole quota units","found":" "}",
        "error manifest.invalid-amount ["quota"] {"message":"Quota units must be a whole number of 0 or more.","expected":"whole quota units","found":"-1"}",
        "error manifest.invalid-amount ["quota"] {"message":"The amount is too large.","expected":"at most 500000000000000 quota units","found":"500000000000001"}",
        "error manifest.invalid-amount [] {"message":"The amount is missing.","expected":"\`usd\` or \`quota\`","data":{"isMissing":true}}",
        "error manifest.invalid-amount [] {"message":"The amount has two units.","expected":"either \`usd\` or \`quota\`, not both","hint":"Remove one of the two."}",
        "error manifest.invalid-value ["per"] {"message":"Invalid window of time.","found":"\\"year\\"","expected":"\`hour\`, \`day\`, \`week\`, \`month\`, a number of days such as \`7d\`, or \`lifetime\`"}",
        "error manifest.invalid-amount ["below"] {"message":"\`below\` is more than the budget: every run would top up the key.","expected":"at most the amount that the key is topped up to","hint":"Lower \`below\`, or raise the amount."}",
        "error manifest.invalid-amount ["below"] {"message":"The amount is missing.","expected":"\`usd\` or \`quota\`","data":{"isMissing":true}}",
        "error manifest.invalid-amount ["below","quota"] {"message":"Quota units must be a whole number of 0 or more.","expected":"whole quota units","found":"x"}",
        "error manifest.invalid-value ["initial"] {"message":"\`per\` and \`initial\` exclude each other.","expected":"one of \`per\`, \`below\` and \`initial\`","hint":"Remove one of the two."}",
        "error manifest.invalid-value ["usd"] {"message":"An unlimited budget cannot have \`usd\`.","expected":"either no ceiling or an amount","hint":"Remove \`unlimited\`, or \`usd\`."} / error manifest.invalid-value ["initial"] {"message":"An unlimited budget cannot have \`initial\`.","expected":"either no ceiling or an amount","hint":"Remove \`unlimited\`, or \`initial\`."}",
      ]
    `);
    expect(JSON.stringify(rejected)).not.toContain(credential);
  });

  it('may contain the word for no restriction where the field has none', () => {
    expect(parseValue({ kind: 'textSet' }, ['any']).value).toEqual(['any']);
  });

  it.each<[string, BudgetInput, unknown]>([
    ['a lifetime grant', { usd: '0' }, { kind: 'lifetime', amount: { usd: { digits: 0n, scale: 0 } } }],
    [
      'the most dollars',
      { usd: '1000000000.0' },
      { kind: 'lifetime', amount: { usd: { digits: 10_000_000_000n, scale: 1 } } },
    ],
    ['a lifetime grant by its word', { quota: '5', per: 'lifetime' }, { kind: 'lifetime', amount: { quota: 5 } }],
    ['18 decimals', { usd: '0.000000000000000001' }, { kind: 'lifetime', amount: { usd: { digits: 1n, scale: 18 } } }],
    ['the most units', { quota: '500000000000000' }, { kind: 'lifetime', amount: { quota: 500_000_000_000_000 } }],
    ['no units', { quota: '0' }, { kind: 'lifetime', amount: { quota: 0 } }],
    ['a window', { quota: '5', per: '7d', initial: false }, { kind: 'window', amount: { quota: 5 }, per: { days: 7 } }],
    ['an initial grant', { quota: '5', initial: true, unlimited: false }, { kind: 'initial', amount: { quota: 5 } }],
    [
      'a top-up at its amount',
      { quota: '5', below: { quota: '5' } },
      { kind: 'top-up', amount: { quota: 5 }, below: { quota: 5 } },
    ],
    [
      'a top-up in two units, which only the gateway can compare',
      { usd: '1', below: { quota: '5' } },
      { kind: 'top-up', amount: { usd: { digits: 1n, scale: 0 } }, below: { quota: 5 } },
    ],
    [
      'a top-up in dollars of different precision',
      { usd: '1', below: { usd: '0.50' } },
      { kind: 'top-up', amount: { usd: { digits: 1n, scale: 0 } }, below: { usd: { digits: 50n, scale: 2 } } },
    ],
    ['no limit', { unlimited: true, initial: false }, { kind: 'unlimited' }],
  ])('of a budget is %s', (_, input, budget) => {
    expect(parseValue(KEY_FIELDS.budget, input)).toEqual({ value: budget, diagnostics: [] });
  });

  it('of a budget is never made of an incomplete input', () => {
    expect(() => budgetOfInput({})).toThrow(new RangeError('not an amount'));
    expect(() => budgetOfInput({ usd: 'x' })).toThrow(new RangeError('not an amount'));
  });

  it('of a budget is not known while a part of it is not', () => {
    const inputs: readonly BudgetInput[] = [
      { usd: UNKNOWN },
      { quota: '1', per: UNKNOWN },
      { quota: '1', below: UNKNOWN },
      { quota: '1', below: { quota: UNKNOWN } },
      { quota: UNKNOWN, below: { quota: '1' } },
      { quota: '1', unlimited: UNKNOWN, below: { usd: '1' } },
    ];
    expect(inputs.map((input) => parseValue(KEY_FIELDS.budget, input))).toEqual(
      inputs.map(() => ({ diagnostics: [] })),
    );
  });

  it('offers the corrected form of an address as data', () => {
    expect(parseValue(KEY_FIELDS.allowIps, ['10.1.2.3/8']).diagnostics[0]?.data).toEqual({ corrected: '10.0.0.0/8' });
  });

  it('warns about a repeated entry and names the first one', () => {
    const { value, diagnostics } = parseValue(KEY_FIELDS.models, ['a', 'b', 'a']);
    expect(value).toEqual(['a', 'b']);
    expect(diagnostics.map(asLine)).toMatchInlineSnapshot(`
      [
        "warning manifest.duplicate-entry [2] {"message":"The list contains an entry twice.","data":{"first":0},"found":"\\"a\\"","expected":"each entry once"}",
      ]
    `);
    expect(parseValue(KEY_FIELDS.allowIps, ['10.0.0.1', '10.0.0.1/32'])).toMatchObject({
      value: ['10.0.0.1/32'],
      diagnostics: [{ path: [1], data: { first: 0 }, found: '"10.0.0.1/32"' }],
    });
  });

  it('accepts a part of a budget that only a later run knows', () => {
    expect(budgetProblems({ usd: '1', below: { usd: UNKNOWN } })).toEqual([]);
    expect(budgetProblems({ unlimited: UNKNOWN })).toEqual([]);
    expect(budgetProblems({ unlimited: UNKNOWN, usd: '-1' })).toHaveLength(1);
    expect(budgetProblems({ usd: UNKNOWN, quota: 'x' })).toHaveLength(1);
  });
});

it.each([
  ['contract', 'contract'],
  ['deployed@1.0', 'deployed@1.0'],
  ['Contract', undefined],
  ['', undefined],
])('the name %j is that of the profile %s', (text, name) => {
  expect(tryParseProfileName(text)).toBe(name);
});

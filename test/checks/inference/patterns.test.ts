import { describe, expect, test } from 'vitest';
import { NotProven } from '../../../src/checks/check-module.ts';
import { claimExpected } from '../../../src/checks/inference/text-claims.ts';
import { openRecorder } from '../../../src/checks/run/check-recorder.ts';
import type { Assertions, Json } from '../../../src/domain/index.ts';

const ENDLESS = '^(a+)+$';
const ANSWER = `${'a'.repeat(60)}!`;

async function outcomeOf(text: string, expect: Assertions) {
  const { recorder, record } = openRecorder('m', (words) => words);
  try {
    await claimExpected(recorder, text, expect);
    return record.findings.map(({ holds }) => holds);
  } catch (thrown) {
    return thrown;
  }
}

describe('a pattern that backtracks for years', () => {
  test.each([
    ['of `matches`', ANSWER, { matches: ENDLESS }, '/^(a+)+$/u could not be evaluated within 3 seconds'],
    [
      'of a schema',
      JSON.stringify(ANSWER),
      { jsonSchema: { type: 'string', pattern: ENDLESS } },
      'a pattern of the schema could not be evaluated within 3 seconds',
    ],
  ])('%s leaves the check unproven, and does not hang', async (_where, text, assertions, reason) => {
    const outcome = await outcomeOf(text, assertions);
    expect(outcome).toBeInstanceOf(NotProven);
    expect(outcome).toMatchObject({ verdict: 'unprovable', message: expect.stringContaining(reason) });
  });

  test('does not hold up the checks that run at the same time', async () => {
    let hasRun = false;
    setImmediate(() => {
      hasRun = true;
    });
    await outcomeOf(ANSWER, { matches: ENDLESS });
    expect(hasRun).toBe(true);
  });

  test('is evaluated where it ends', async () => {
    expect(await outcomeOf('aaaa', { matches: ENDLESS })).toEqual([true]);
    expect(await outcomeOf('aab', { matches: ENDLESS })).toEqual([false]);
  });
});

describe('a schema', () => {
  const LEVELS = 40;
  const twice = (level: number) => ({ anyOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] });
  const levels = Array.from({ length: LEVELS }, (_, level) => [`l${level}`, twice(level)]);
  const doubling = { $ref: '#/$defs/l0', $defs: { ...Object.fromEntries(levels), [`l${LEVELS}`]: { type: 'number' } } };

  test('whose alternatives double at each level leaves the check unproven', async () => {
    expect(await outcomeOf('"text"', { jsonSchema: doubling })).toMatchObject({
      verdict: 'unprovable',
      message: expect.stringContaining('the schema could not be evaluated within 3 seconds'),
    });
  });

  const CODE = { type: 'string', pattern: '^[A-Z]{3}$' };

  test.each<[string, Json, unknown, boolean]>([
    ['a pattern that matches', CODE, 'ABC', true],
    ['a pattern that does not', CODE, 'ABCD', false],
    ['a pattern of Unicode', { pattern: '^\\p{Lu}$' }, 'É', true],
    ['a pattern for a number, which it does not restrict', { pattern: '^a$' }, 7, true],
    ['a forbidden pattern', { not: { pattern: '^sk-' } }, 'sk-1', false],
    ['a forbidden pattern that does not match', { not: { pattern: '^sk-' } }, 'pk-1', true],
    ['one of two patterns', { oneOf: [{ pattern: '^a' }, { pattern: 'b$' }] }, 'ac', true],
    ['one of two patterns, both of which match', { oneOf: [{ pattern: '^a' }, { pattern: 'b$' }] }, 'ab', false],
    ['the second alternative', { anyOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'b', true],
    ['a condition', { if: { pattern: '^a' }, else: { pattern: 'z$' } }, 'bb', false],
    ['a condition that does not apply', { if: { pattern: '^a' }, else: { pattern: 'z$' } }, 'ab', true],
    ['names of fields', { patternProperties: { '^x-': { type: 'number' } } }, { 'x-a': 'text' }, false],
    ['names that are not restricted', { patternProperties: { '^x-': { type: 'number' } } }, { a: 'text' }, true],
    [
      'each of many elements',
      { items: { not: { pattern: '7$' } } },
      Array.from({ length: 500 }, (_, n) => `${n}`),
      false,
    ],
    [
      'a list that is forbidden',
      { not: { items: { pattern: '^\\d' } } },
      Array.from({ length: 500 }, (_, n) => `${n}`),
      false,
    ],
    ['elements of which none matches', { items: { not: { pattern: 'x$' } } }, ['1', '2'], true],
    ['one element of many', { contains: { pattern: '^499$' } }, Array.from({ length: 500 }, (_, n) => `${n}`), true],
  ])('with %s', async (_what, jsonSchema, value, holds) => {
    const findings = await outcomeOf(JSON.stringify(value), { jsonSchema });
    expect(findings).toEqual([true, holds]);
  });

  test('names a few of the errors of a long list', async () => {
    const { recorder, record } = openRecorder('m', (words) => words);
    await claimExpected(recorder, JSON.stringify(Array(100).fill('no')), { jsonSchema: { items: CODE } });
    const { found = '' } = record.findings.at(-1) ?? {};
    expect(found.split(', ')).toHaveLength(5);
  });
});

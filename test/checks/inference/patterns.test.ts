import { describe, expect, test } from 'vitest';
import { NotProven } from '../../../src/checks/check-module.ts';
import { claimExpected } from '../../../src/checks/inference/text-claims.ts';
import { openRecorder } from '../../../src/checks/run/check-recorder.ts';
import type { Assertions } from '../../../src/domain/index.ts';

const ENDLESS = '^(a+)+$';
const ANSWER = `${'a'.repeat(60)}!`;

function outcomeOf(text: string, expect: Assertions) {
  const { recorder, record } = openRecorder('m', (words) => words);
  try {
    claimExpected(recorder, text, expect);
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
  ])('%s leaves the check unproven, and does not hang', (_where, text, assertions, reason) => {
    const outcome = outcomeOf(text, assertions);
    expect(outcome).toBeInstanceOf(NotProven);
    expect(outcome).toMatchObject({ verdict: 'unprovable', message: expect.stringContaining(reason) });
  });

  test('is evaluated where it ends', () => {
    expect(outcomeOf('aaaa', { matches: ENDLESS })).toEqual([true]);
    expect(outcomeOf('aab', { matches: ENDLESS })).toEqual([false]);
  });
});

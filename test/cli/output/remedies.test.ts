import { describe, expect, it } from 'vitest';
import { hintOf } from '../../../src/cli/output/remedies.ts';
import { Fault, REMEDIES } from '../../../src/domain/index.ts';

describe('the hint of the command line', () => {
  it.each(REMEDIES)('%s is worded as a sentence', (remedy) => {
    expect(hintOf({ remedy })).toMatch(/^[-A-Z`].*\.$/);
  });

  it('is the neutral hint, followed by the remedy', () => {
    const fault = new Fault('gateway.timeout', 'x', { hint: 'Look at its load.', remedy: 'allow-more-time' });
    expect(hintOf(fault)).toBe('Look at its load. To allow more time, raise --timeout.');
  });

  it('is missing where there is neither', () => {
    expect(hintOf(new Fault('gateway.timeout', 'x'))).toBeUndefined();
  });
});

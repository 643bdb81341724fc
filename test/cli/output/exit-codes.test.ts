import { describe, expect, it } from 'vitest';
import { EXIT, EXIT_OF_FAULT, exitCodeOf } from '../../../src/cli/output/exit-codes.ts';
import { Fault } from '../../../src/domain/index.ts';

describe('the exit code of a fault', () => {
  it.each(Object.entries(EXIT_OF_FAULT))('%s is one of the documented codes: %s', (_, exit) => {
    expect(Object.values(EXIT)).toContain(exit);
  });

  it('never reads as success or as pending changes', () => {
    const codes: readonly number[] = Object.values(EXIT_OF_FAULT);
    expect(codes.filter((code) => code === EXIT.done || code === EXIT.pending)).toEqual([]);
  });

  it('is 0 when nothing ended the command early', () => {
    expect(exitCodeOf(undefined)).toBe(0);
    expect(exitCodeOf(new Fault('plan.stale', 'x'))).toBe(4);
  });
});

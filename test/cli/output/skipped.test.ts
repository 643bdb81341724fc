import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../../src/cli/output/layout/paint.ts';
import { renderReport } from '../../../src/cli/output/report.ts';
import { Fault, type Outcome } from '../../../src/domain/index.ts';
import { PLAN, pending } from '../samples.ts';

const skipped = (reason: string): Outcome => ({ change: pending('enable'), state: 'skipped', reason });
const shownOf = (outcomes: readonly Outcome[]): string =>
  renderReport({ plan: PLAN, outcomes, corrections: [], interrupted: true }, { paint: PLAIN, width: 100 });

describe('the report of an interrupted apply', () => {
  it('names a few of many changes that were skipped for one reason, and each of a few', () => {
    const failed: Outcome = { change: pending('create'), state: 'failed', fault: new Fault('gateway.refused', 'no') };
    const many = shownOf([failed, ...Array.from({ length: 200 }, () => skipped('interrupted')), skipped('withheld')]);
    expect(many).toContain('skipped 200 changes: ');
    expect(many).toContain(' and 195 more');
    expect(many).toContain('FAILED  ');
    expect(many.match(/^skipped /gmu)).toHaveLength(2);
    expect(shownOf([skipped('interrupted'), skipped('interrupted')]).match(/^skipped /gmu)).toHaveLength(2);
  });

  it('lists a few of many changes that are still pending', () => {
    const after = { ...PLAN, changes: Array.from({ length: 200 }, () => pending('enable')) };
    const text = renderReport(
      { plan: PLAN, outcomes: [], corrections: [], interrupted: false, after },
      { paint: PLAIN, width: 100 },
    );
    expect(text.match(/^ {2}.*$/gmu)).toHaveLength(11);
    expect(text).toContain('  and 190 more changes');
  });
});

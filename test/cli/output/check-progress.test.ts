import { describe, expect, it } from 'vitest';
import type { CheckEvent } from '../../../src/checks/index.ts';
import { renderCheckLine, renderCheckStep, renderEstimate } from '../../../src/cli/output/check-progress.ts';
import { decimalOf, quota } from '../../../src/domain/index.ts';
import { resultOf } from '../sample-report.ts';

type ResultEvent = Extract<CheckEvent, { kind: 'result' }>;

const quotaPerUnit = decimalOf(500_000);
const resultEvent = (more: Partial<ResultEvent> = {}): ResultEvent => ({
  kind: 'result',
  result: resultOf({ key: 'prod-shop', check: 'pong', verdict: 'passed' }),
  done: 3,
  total: 40,
  spent: quota(0),
  ...more,
});
const MOMENT = {
  open: ['prod-shop pong', 'prod-shop film'],
  seconds: 14,
  estimated: 0,
  isMaximum: false,
  quotaPerUnit,
  width: 80,
};

describe('a run of checks on a terminal', () => {
  it('shows progress, time, cost and the checks under way in one line', () => {
    expect(renderCheckStep(undefined, MOMENT)).toBe('Proving keys · 14 seconds · prod-shop pong and 1 more');
    const spent = resultEvent({ spent: quota(10_000) });
    expect(renderCheckStep(spent, MOMENT)).toBe('3/40 · 14 seconds · $0.02 · prod-shop pong and 1 more');
    const estimated = { ...MOMENT, estimated: 210_000, open: [] };
    expect(renderCheckStep(spent, estimated)).toBe('3/40 · 14 seconds · $0.02 of about $0.42');
    expect(renderCheckStep(spent, { ...estimated, isMaximum: true })).toBe(
      '3/40 · 14 seconds · $0.02 of at most $0.42',
    );
    expect(renderCheckStep({ kind: 'wait', what: 'the usage log' }, MOMENT)).toBe('Waiting for the usage log');
  });

  it('stays in one line, whatever control characters a name has', () => {
    const text = renderCheckStep(resultEvent(), { ...MOMENT, open: [`\u001b[31m${'x'.repeat(200)}`], width: 60 });
    expect(text.length).toBeLessThanOrEqual(56);
    expect(text).not.toContain('\u001b');
  });
});

describe('a run of checks in a log', () => {
  it.each<[Partial<ResultEvent>, string]>([
    [{}, '[ 3/40] ✓ prod-shop pong 812 ms'],
    [
      { result: resultOf({ key: 'a', check: 'b', verdict: 'passed', attempts: 2 }) },
      '[ 3/40] ✓ a b 812 ms (attempt 2)',
    ],
    [
      { result: resultOf({ key: 'a', check: 'b', verdict: 'failed', reason: 'the key\nis off' }) },
      '[ 3/40] ✗ a b 812 ms: the key\\u{a}is off',
    ],
    [{ result: resultOf({ key: 'a', check: 'b', verdict: 'skipped', reason: 'costly' }) }, '[ 3/40] – a b: costly'],
  ])('has a line for each result: %#', (more, line) => {
    expect(renderCheckLine(resultEvent(more))).toBe(line);
  });

  it.each([
    [{ units: quota(210_000), known: 3, isMaximum: false, unknown: {} }, 'Estimate: about $0.42 for 3 costly checks.'],
    [{ units: quota(210_000), known: 3, isMaximum: true, unknown: {} }, 'Estimate: at most $0.42 for 3 costly checks.'],
    [
      { units: quota(0), known: 0, isMaximum: false, unknown: { 'delta-H3': 1 } },
      'Estimate: unknown for delta-H3 (1 check), for which no price is known.',
    ],
    [
      { units: quota(10_000), known: 1, isMaximum: false, unknown: { a: 2, b: 1 } },
      'Estimate: about $0.02 for 1 costly check; unknown for a (2 checks), b (1 check), for which no price is known.',
    ],
  ])('estimates the cost before the run: %#', (estimate, line) => {
    expect(renderEstimate({ kind: 'estimate', schedule: 'costly', estimate }, quotaPerUnit)).toBe(line);
  });
});

import { Parser, type Result } from 'tap-parser';
import { describe, expect, it } from 'vitest';
import { renderTap } from '../../../../src/cli/output/checks/tap.ts';
import { EVERY_KIND, FATAL, HOSTILE, MANY, reportOf } from '../../sample-report.ts';

function parsed(text: string) {
  const lost: string[] = [];
  const results: Result[] = [];
  const parser = new Parser({ strict: true });
  parser.on('assert', (result: Result) => results.push(result));
  parser.on('extra', (line: string) => lost.push(line));
  parser.end(text);
  return { results, lost, summary: parser.results };
}

describe('TAP', () => {
  it('reports whether each check is ok, and why not', () => {
    const { results, lost, summary } = parsed(renderTap(reportOf(EVERY_KIND)));
    expect(lost).toEqual([]);
    expect(summary).toMatchObject({ count: 6, pass: 4, fail: 2, skip: 2 });
    expect(results[0]?.name).toBe('prod-checkout pong');
    expect(results[0]?.diag).toMatchObject({
      module: 'chat',
      broken: [{ claim: 'the answer contains "pong"', found: 'ping' }, { claim: 'the usage figures are there' }],
    });
    expect(results[2]?.skip).toContain('unprovable: there is no second address');
  });

  it('shows that a check was flaky', () => {
    const { results } = parsed(renderTap(reportOf(EVERY_KIND)));
    expect(results[1]).toMatchObject({ ok: true, diag: { message: 'flaky: passed on attempt 2' } });
  });

  it('bails out when the run ended early', () => {
    const { summary } = parsed(renderTap(reportOf(EVERY_KIND, { fatal: FATAL })));
    expect(summary?.bailout).toContain('No connection');
  });

  it('keeps hostile names and answers in their places', () => {
    const { results, lost, summary } = parsed(renderTap(reportOf(HOSTILE)));
    expect(lost).toEqual([]);
    expect(summary).toMatchObject({ count: 1, fail: 1, skip: 0 });
    expect(results[0]?.name).toContain('# SKIP & co');
  });

  it('has a plan for many', () => {
    expect(parsed(renderTap(reportOf(MANY))).summary).toMatchObject({ ok: false, count: 360, fail: 22 });
  });
});

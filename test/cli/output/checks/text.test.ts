import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderChecks } from '../../../../src/cli/output/checks/text.ts';
import { widthOf } from '../../../../src/cli/output/layout/columns.ts';
import { PLAIN, paintOf } from '../../../../src/cli/output/layout/paint.ts';
import { quota } from '../../../../src/domain/index.ts';
import { EVERY_KIND, FATAL, HOSTILE, MANY, reportOf, resultOf } from '../../sample-report.ts';

const LOOK = { paint: PLAIN, width: 80 };
const golden = (name: string): string => resolve(import.meta.dirname, `../../../golden/render/${name}.txt`);
const tooWide = (text: string): string[] => text.split('\n').filter((line) => widthOf(line) > 80);

describe('a report of checks at 80 columns and without colour', () => {
  it('reads like this', async () => {
    const text = renderChecks(reportOf(EVERY_KIND), LOOK);
    await expect(`${text}\n`).toMatchFileSnapshot(golden('8-checks'));
    expect(tooWide(text)).toEqual([]);
  });

  it('numbers its columns when their names have no room, and stays within the page', () => {
    const text = renderChecks(reportOf(MANY), LOOK);
    expect(tooWide(text)).toEqual([]);
    expect(text).toContain('prod-a-rather-long-name-of-a-key-30');
    expect(text).toMatch(/^ +1 {2}2 {2}3 /m);
    expect(text).toContain('12 a-check-with-a-long-name-12');
  });

  it('reports the same problem of several keys once', () => {
    const many = ['a', 'b', 'c'].map((key) => resultOf({ key, check: 'pong', verdict: 'failed', reason: 'no price' }));
    const text = renderChecks(reportOf(many), LOOK);
    expect(text.match(/no price/g)).toHaveLength(1);
    expect(text).toContain('a, b, c');
  });

  it('begins with the reason why the run ended early', () => {
    expect(renderChecks(reportOf([], { fatal: FATAL }), LOOK)).toMatch(/^The run ended early: No connection/);
    expect(renderChecks(reportOf(EVERY_KIND, { interrupted: true }), LOOK)).toMatch(/^The run was interrupted/);
    expect(renderChecks(reportOf(EVERY_KIND, { capReached: true, cap: quota(50) }), LOOK)).toMatch(/^Some checks were/);
  });

  it.each([
    [[true, true], 'at most $0.0004'],
    [[true, false], 'about $0.0004'],
  ])('estimates what the log does not show: %j is %s', (maxima, words) => {
    const results = maxima.map((estimateIsMaximum, index) =>
      resultOf({
        ...{ key: 'prod', check: `c${index}`, module: 'chat', verdict: 'passed' },
        cost: { estimated: quota(100), estimateIsMaximum },
      }),
    );
    expect(renderChecks(reportOf(results), LOOK)).toContain(`2 checks of unknown cost (${words})`);
  });

  it('reports that there was nothing to check', () => {
    expect(renderChecks(reportOf([]), LOOK)).toBe('Checks: nothing to check. 4.2 s, nothing spent.');
  });

  it('escapes control characters in answers of the gateway', () => {
    const text = renderChecks(reportOf(HOSTILE), LOOK);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(text).toContain('\\u{1b}[31m');
  });

  it('has the same text with and without colour', () => {
    const report = reportOf(EVERY_KIND);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
    const bare = renderChecks(report, { paint: paintOf(true), width: 80 }).replace(/\u001b\[[0-9;]*m/g, '');
    expect(bare).toBe(renderChecks(report, LOOK));
  });
});

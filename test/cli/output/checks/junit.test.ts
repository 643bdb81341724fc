import { describe, expect, it } from 'vitest';
import { renderJunit } from '../../../../src/cli/output/checks/junit.ts';
import { EVERY_KIND, FATAL, HOSTILE, MANY, reportOf, resultOf } from '../../sample-report.ts';
import { problemsOf } from './junit-schema.ts';

const REPORTS = {
  'results of every kind': reportOf(EVERY_KIND),
  'names and answers that are hostile': reportOf(HOSTILE),
  'many keys and checks': reportOf(MANY),
  'a run that ended early': reportOf(EVERY_KIND, { fatal: FATAL }),
  'a run that never began': reportOf([], { fatal: FATAL }),
  'nothing at all': reportOf([]),
};

describe('JUnit XML', () => {
  it.each(Object.entries(REPORTS))('of %s satisfies the schema of Jenkins', async (_, report) => {
    expect(await problemsOf(renderJunit(report))).toEqual([]);
  });

  it('is refused by that schema when it is wrong', async () => {
    expect(await problemsOf(renderJunit(reportOf(EVERY_KIND)).replaceAll('<testcase', '<case'))).not.toEqual([]);
  });

  it('has a suite for each key, a case for each check, and counts what failed', () => {
    const xml = renderJunit(reportOf(EVERY_KIND));
    const figures = ['name', 'tests', 'failures', 'skipped'].map((name) => read(xml, 'testsuite', name));
    expect(figures).toEqual([
      ['prod-checkout', 'prod-studio', 'prod-old'],
      ['3', '2', '1'],
      ['1', '0', '1'],
      ['1', '1', '0'],
    ]);
    expect(read(xml, 'testcase', 'name')).toEqual(EVERY_KIND.map(({ check }) => check));
  });

  it('has the claims, the hint and the requests of a failed check', () => {
    const xml = renderJunit(reportOf(EVERY_KIND));
    expect(xml).toContain('<failure message="the key is expired" type="key.refused">');
    expect(xml).toContain('hint: Change its expiry, then apply.');
    expect(xml).toContain('assertion failed: the answer contains "pong" (found ping), and 1 more');
    expect(xml).toContain('- the usage figures are there');
    expect(xml).toContain('requests: 2026112106300012345678');
  });

  it('distinguishes unprovable from skipped checks, though the format has one word for both', () => {
    const xml = renderJunit(reportOf(EVERY_KIND));
    expect(xml).toContain('<skipped>unprovable: there is no second address to ask from');
    expect(xml).toContain('<skipped>costly: it runs only on request</skipped>');
  });

  it('distinguishes an error of the run from the failure of a check', () => {
    const xml = renderJunit(reportOf([], { fatal: FATAL }));
    expect(xml).toContain('<error message="No connection to https://gateway.example.com." type="gateway.unreachable">');
    expect(xml).toContain('hint: Look at the address.');
  });

  it('shows that a check was flaky', () => {
    const xml = renderJunit(reportOf(EVERY_KIND));
    expect(xml).toContain('<property name="flaky.vectors" value="passed on attempt 2"/>');
    expect(xml).toContain('<system-out>vectors is flaky: passed on attempt 2</system-out>');
  });

  it('reports that a run was interrupted or reached its cap', () => {
    expect(renderJunit(reportOf(EVERY_KIND, { interrupted: true }))).toContain('<property name="interrupted"');
    expect(renderJunit(reportOf(EVERY_KIND, { capReached: true }))).toContain('<property name="cap-reached"');
  });

  it('gives names and answers back as they were, but for what no XML can hold', () => {
    const xml = renderJunit(reportOf(HOSTILE));
    expect(read(xml, 'testsuite', 'name')).toEqual([HOSTILE[0]?.key]);
    expect(read(xml, 'testcase', 'name')).toEqual(['</style>]]> # SKIP & co \\u{1b}[31m@team']);
    expect(read(xml, 'failure', 'message')).toEqual([
      'assertion failed: <img src=x onerror=alert(1)> \\u{0} | [a](javascript:x)',
    ]);
  });

  it('takes nothing in a name for an entity', async () => {
    const xml = renderJunit(reportOf([resultOf({ key: '&lt;&nothing;', check: '&#0; &', verdict: 'passed' })]));
    expect(await problemsOf(xml)).toEqual([]);
    expect(read(xml, 'testsuite', 'name')).toEqual(['&lt;&nothing;']);
    expect(read(xml, 'testcase', 'name')).toEqual(['&#0; &']);
  });
});

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** An attribute of each element of a name, as a reader of XML would have it. */
function read(xml: string, element: string, attribute: string): readonly string[] {
  const values = xml.matchAll(new RegExp(`<${element} (?:[^>]* )?${attribute}="([^"]*)"`, 'g'));
  return [...values].map(([, value = '']) => value.replace(/&(\w+);/g, (_, name: string) => CHARACTERS[name] ?? ''));
}

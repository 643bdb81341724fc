import { create } from 'xmlbuilder2';
import { type CheckReport, type CheckResult, isFlaky } from '../../../domain/index.ts';
import { xmlText } from '../xml-text.ts';
import { byKey, explain } from './plain-words.ts';

type Node = ReturnType<typeof create>;

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const instant = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

function addCase(suite: Node, result: CheckResult): void {
  const { key, check, module, verdict, code, reason = '', durationMs = 0 } = result;
  const element = suite.ele('testcase', {
    classname: xmlText(`${module}.${key}`),
    name: xmlText(check),
    time: seconds(durationMs),
  });
  const told = explain(result).map(xmlText).join('\n');
  if (verdict === 'failed')
    element.ele('failure', { message: xmlText(reason), type: code ?? 'check.failed' }).txt(told);
  // The format knows no third thing: what can not be proven was not proven.
  if (verdict === 'skipped') element.ele('skipped').txt(xmlText(reason));
  if (verdict === 'unprovable') element.ele('skipped').txt(xmlText(`unprovable: ${reason}`));
  if (isFlaky(result)) element.ele('system-out').txt(told);
}

const countOf = (results: readonly CheckResult[], ...verdicts: CheckResult['verdict'][]): number =>
  results.filter(({ verdict }) => verdicts.includes(verdict)).length;

const figuresOf = (results: readonly CheckResult[], errors: number) => ({
  tests: String(results.length + errors),
  failures: String(countOf(results, 'failed')),
  errors: String(errors),
  skipped: String(countOf(results, 'skipped', 'unprovable')),
});

const timeOf = (results: readonly CheckResult[]): string =>
  seconds(results.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0));

function addFatal(root: Node, { fatal, startedAt }: CheckReport): void {
  if (fatal === undefined) return;
  const suite = root.ele('testsuite', {
    name: 'keyplane',
    timestamp: instant(startedAt),
    ...figuresOf([], 1),
    time: '0.000',
  });
  const element = suite.ele('testcase', { classname: 'keyplane', name: 'the run came to its end', time: '0.000' });
  const text = [fatal.message, ...(fatal.hint === undefined ? [] : [`hint: ${fatal.hint}`])].map(xmlText).join('\n');
  element.ele('error', { message: xmlText(fatal.message), type: fatal.code }).txt(text);
}

/** JUnit XML as CI systems read it: a suite for each key, a case for each check. */
export function renderJunit(report: CheckReport): string {
  const { results, startedAt, durationMs, fatal } = report;
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: 'keyplane check',
    time: seconds(durationMs),
    tests: String(results.length + (fatal ? 1 : 0)),
    failures: String(countOf(results, 'failed')),
    errors: fatal ? '1' : '0',
  });
  for (const [key, own] of byKey(report)) {
    const suite = root.ele('testsuite', {
      name: xmlText(key),
      timestamp: instant(startedAt),
      ...figuresOf(own, 0),
      time: timeOf(own),
    });
    for (const result of own) addCase(suite, result);
  }
  addFatal(root, report);
  return `${root.end({ prettyPrint: true })}\n`;
}

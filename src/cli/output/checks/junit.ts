import {
  type Advice,
  type CheckReport,
  type CheckResult,
  type Fault,
  isFlaky,
  usdFromQuota,
} from '../../../domain/index.ts';
import { type JunitCase, type JunitSuite, renderSuites } from '../junit-suites.ts';
import { hintOf } from '../remedies.ts';
import { byKey, explain } from './plain-words.ts';

/** The format has only passed and failed: unprovable is not passed. */
function endingOf(result: CheckResult): Pick<JunitCase, 'ending'> {
  const { verdict, reason = '', code = 'check.failed' } = result;
  const lines = explain(result);
  switch (verdict) {
    case 'passed':
      return {};
    case 'failed':
      return { ending: { as: 'failure', message: reason, type: code, lines } };
    case 'skipped':
      return { ending: { as: 'skipped', message: reason, lines } };
    case 'unprovable':
      return { ending: { as: 'skipped', message: `unprovable: ${reason}`, lines } };
  }
}

const caseOf = (result: CheckResult): JunitCase => ({
  classname: `${result.module}.${result.key}`,
  name: result.check,
  ms: result.durationMs ?? 0,
  ...endingOf(result),
});

/** The properties of a whole run. */
const runProperties = ({ account, interrupted, capReached }: CheckReport): Record<string, string> => ({
  ...(account ? { gateway: account.url, user: String(account.userId) } : {}),
  ...(interrupted ? { interrupted: 'true' } : {}),
  ...(capReached ? { 'cap-reached': 'true' } : {}),
});

function remainingProperties({ remaining, quotaPerUnit }: CheckReport, key: string): Record<string, string> {
  const units = remaining[key];
  if (units === undefined) return {};
  if (units === null) return { remaining: 'unlimited' };
  return {
    remaining: String(units),
    ...(quotaPerUnit ? { 'remaining.usd': usdFromQuota(units, quotaPerUnit, 6) } : {}),
  };
}

function suiteOf(report: CheckReport, key: string, own: readonly CheckResult[]): JunitSuite {
  const flaky = own.filter(isFlaky);
  return {
    name: key,
    startedAt: report.startedAt,
    cases: own.map(caseOf),
    properties: {
      ...runProperties(report),
      ...remainingProperties(report, key),
      ...Object.fromEntries(flaky.map(({ check, attempts }) => [`flaky.${check}`, `passed on attempt ${attempts}`])),
    },
    remarks: flaky.map(({ check, attempts }) => `${check} is flaky: passed on attempt ${attempts}`),
  };
}

const hintLines = (advice: Advice): readonly string[] => {
  const hint = hintOf(advice);
  return hint === undefined ? [] : [`hint: ${hint}`];
};

const fatalSuite = (report: CheckReport, fault: Fault): JunitSuite => ({
  name: 'keyplane',
  startedAt: report.startedAt,
  cases: [
    {
      classname: 'keyplane',
      name: 'the run completed',
      ms: 0,
      ending: {
        as: 'error',
        message: fault.message,
        type: fault.code,
        lines: [fault.message, ...hintLines(fault)],
      },
    },
  ],
  properties: runProperties(report),
  remarks: [],
});

/** JUnit XML as CI systems read it: a suite for each key, a case for each check. */
export const renderJunit = (report: CheckReport): string =>
  renderSuites([
    ...byKey(report).map(([key, own]) => suiteOf(report, key, own)),
    ...(report.fatal ? [fatalSuite(report, report.fatal)] : []),
  ]);

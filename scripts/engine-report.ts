import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** The outcome of the provider’s tests with one engine. */
export interface EngineReport {
  readonly passed: number;
  readonly failed: number;
  /** The tests that were skipped, with their reasons. */
  readonly skipped: readonly { readonly test: string; readonly reason: string }[];
}

const skippedOf = (test: TestCase): EngineReport['skipped'][number] => {
  const result = test.result();
  const reason = result.state === 'skipped' ? result.note : undefined;
  return { test: test.fullName, reason: reason ?? 'its condition does not hold' };
};

/** A reporter of vitest that writes an {@link EngineReport} to the file that `ENGINE_REPORT` names. */
export default class EngineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const unloaded = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length;
    const report: EngineReport = {
      passed: count('passed'),
      failed: count('failed') + unloaded,
      skipped: tests.filter((test) => test.result().state === 'skipped').map(skippedOf),
    };
    writeFileSync(process.env.ENGINE_REPORT ?? 'engine-report.json', JSON.stringify(report));
  }
}

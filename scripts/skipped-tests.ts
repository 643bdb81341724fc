import type { Reporter, TestModule } from 'vitest/node';

/** A reporter of vitest that lists the skipped tests at the end, with their reasons. */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = (result.state === 'skipped' ? result.note : undefined) ?? 'no reason given';
        process.stdout.write(`skipped: ${module.relativeModuleId} > ${test.fullName} (${reason})\n`);
      }
    }
  }
}

/** A reporter of vitest that says, at the end, which tests were skipped and why: a skipped test is never silent. */
export default class SkippedTests {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')].map((test) => [module, test]));
    for (const [module, test] of skipped) {
      const reason = test.result().note ?? 'no reason given';
      process.stdout.write(`skipped: ${module.relativeModuleId} > ${test.fullName} (${reason})\n`);
    }
  }
}

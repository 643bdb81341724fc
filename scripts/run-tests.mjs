// Runs vitest and counts from its JSON report, so that a run which found no test, or died half way, is noticed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const VITEST = join(root, 'node_modules/vitest/vitest.mjs');

/** A test file that could not even be loaded has no failed test; it counts as one. */
function tallyOf(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Runs the tests, all or those of `filters`.
 *
 * @param command how to start a Node.js, such as `[process.execPath]`
 * @returns what the report counted, undefined when there is no report; and whether everything is well
 */
export function runTests({ command, filters = [] }) {
  const scratch = mkdtempSync(join(tmpdir(), 'keyplane-tests-'));
  const reportFile = join(scratch, 'report.json');
  const reporters = ['default', 'json', join(root, 'scripts/skipped-tests.mjs')].map((name) => `--reporter=${name}`);
  const [program, ...before] = command;
  try {
    const { status, error } = spawnSync(
      program,
      [...before, VITEST, 'run', ...filters, ...reporters, `--outputFile.json=${reportFile}`],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    if (error) throw error;
    const tally = tallyOf(JSON.parse(readFileSync(reportFile, 'utf8')));
    return { tally, ok: status === 0 && tally.failed === 0 && tally.passed > 0 };
  } catch (error) {
    process.stdout.write(`tests: no report (${error.message})\n`);
    return { tally: undefined, ok: false };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export const renderTally = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

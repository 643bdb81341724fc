// Runs vitest and counts from its JSON report, so that a run that finds no test, or dies halfway, fails.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const VITEST = join(root, 'node_modules/vitest/vitest.mjs');

/** The parts of the report that are read. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test file that does not load has no failed test, and counts as one. */
function tallyOf(report: Report): Tally {
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
 * Runs the tests, all of them or those of `filters`.
 *
 * @param command starts a Node.js, such as `[process.execPath]`
 * @returns the counts of the report, undefined when there is no report; `ok` when tests ran and all of them passed
 */
export function runTests({
  command,
  filters = [],
}: {
  readonly command: readonly [program: string, ...words: string[]];
  readonly filters?: readonly string[];
}): { readonly tally: Tally | undefined; readonly ok: boolean } {
  const scratch = mkdtempSync(join(tmpdir(), 'keyplane-tests-'));
  // Some tests run the program as another user, who must reach what it was copied into.
  chmodSync(scratch, 0o711);
  const reportFile = join(scratch, 'report.json');
  const reporters = ['default', 'json', join(root, 'scripts/skipped-tests.ts')].map((name) => `--reporter=${name}`);
  const [program, ...before] = command;
  try {
    const { status, error } = spawnSync(
      program,
      [...before, VITEST, 'run', ...filters, ...reporters, `--outputFile.json=${reportFile}`],
      // The CDKs never remove the folders that they make for temporary files.
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, TMPDIR: scratch } },
    );
    if (error) throw error;
    const tally = tallyOf(JSON.parse(readFileSync(reportFile, 'utf8')) as Report);
    return { tally, ok: status === 0 && tally.failed === 0 && tally.passed > 0 };
  } catch (error) {
    process.stdout.write(`tests: no report (${String(error)})\n`);
    return { tally: undefined, ok: false };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export const renderTally = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

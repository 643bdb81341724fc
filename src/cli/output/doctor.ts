import type { DoctorResult } from '../commands/doctor/result.ts';
import { exitCodeOf } from './exit-codes.ts';
import { hang, padEnd } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable } from './layout/printable.ts';
import { hintOf } from './remedies.ts';

const WORDS: Readonly<Record<DoctorResult['state'], string>> = {
  ok: 'ok',
  warning: 'warning',
  failed: 'FAILED',
  skipped: 'skipped',
};

const COLOURS = { ok: 'good', warning: 'change', failed: 'bad', skipped: 'faint' } as const;

const STATE = 9;
const CHECK = 13;

const adviceOf = (result: DoctorResult): { readonly message: string; readonly hint?: string | undefined } =>
  result.state === 'failed' ? { message: result.fault.message, hint: hintOf(result.fault) } : result;

/** The results as JSON. */
export const doctorData = (results: readonly DoctorResult[]) =>
  results.map((result) => {
    const { message, hint } = adviceOf(result);
    const exit = result.state === 'failed' ? exitCodeOf(result.fault) : undefined;
    return { check: result.check, state: result.state, says: message, hint, exit };
  });

/** One line for each result, and under it what to do. */
export function renderDoctorResults(results: readonly DoctorResult[], paint: Paint, width: number): string {
  const paragraphs = results.flatMap((result) => {
    const { message, hint } = adviceOf(result);
    const head = paint[COLOURS[result.state]](padEnd(WORDS[result.state], STATE)) + padEnd(result.check, CHECK);
    const lines = hang(head, printable(message), width);
    return hint === undefined ? lines : [...lines, ...hang(`${' '.repeat(STATE + CHECK)}-> `, printable(hint), width)];
  });
  const failures = results.filter(({ state }) => state === 'failed').length;
  const warnings = results.filter(({ state }) => state === 'warning').length;
  const verdict =
    failures > 0 ? `${failures} failed` : warnings > 0 ? 'No failures, but there are warnings.' : 'No problems found.';
  return [...paragraphs, '', paint.strong(verdict)].join('\n');
}

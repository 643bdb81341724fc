import type { DoctorResult } from '../commands/doctor/finding.ts';
import { hang, padEnd } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable } from './layout/printable.ts';

const WORDS: Readonly<Record<DoctorResult['state'], string>> = {
  ok: 'ok',
  warning: 'warning',
  failed: 'FAILED',
  skipped: 'skipped',
};

const COLOURS = { ok: 'good', warning: 'change', failed: 'bad', skipped: 'faint' } as const;

const STATE = 9;
const CHECK = 13;

/** One line for each finding, and under it what to do. */
export function renderFindings(findings: readonly DoctorResult[], paint: Paint, width: number): string {
  const paragraphs = findings.flatMap(({ check, state, message, hint }) => {
    const head = paint[COLOURS[state]](padEnd(WORDS[state], STATE)) + padEnd(check, CHECK);
    const lines = hang(head, printable(message), width);
    return hint === undefined ? lines : [...lines, ...hang(`${' '.repeat(STATE + CHECK)}-> `, printable(hint), width)];
  });
  const failures = findings.filter(({ state }) => state === 'failed').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  const verdict =
    failures > 0 ? `${failures} failed` : warnings > 0 ? 'No failures, but there are warnings.' : 'No problems found.';
  return [...paragraphs, '', paint.strong(verdict)].join('\n');
}

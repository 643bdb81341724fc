import type { Diagnostic, Fault } from '../../../domain/index.ts';
import { MOST_SHOWN } from '../diagnostics.ts';
import { counted } from '../layout/amount.ts';
import { renderPlace } from '../layout/place.ts';
import { hintOf } from '../remedies.ts';

/** A run that ended without a result. */
export interface FailedRun {
  /** `keyplane drift` */
  readonly command: string;
  readonly fault: Fault;
  readonly diagnostics: readonly Diagnostic[];
  /** Unix seconds. */
  readonly at: number;
}

/** One of the reasons why there is no result, as a case of a report. */
export interface FailedCase {
  readonly name: string;
  /** The code of the diagnostic or of the fault. */
  readonly type: string;
  readonly title: string;
  /** More about it. */
  readonly lines: readonly string[];
}

const failureOf = (command: string, diagnostic: Diagnostic): FailedCase => {
  const { code, message, place, found, expected } = diagnostic;
  const more = { found, expected, hint: hintOf(diagnostic) };
  const lines = Object.entries(more).flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]));
  return { name: place ? renderPlace(place) : command, type: code, title: message, lines };
};

/** The errors of the manifest, or the fault where there are none. Warnings end no run. */
export function failuresOf({ command, fault, diagnostics }: FailedRun): readonly FailedCase[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const failures = errors.slice(0, MOST_SHOWN).map((error) => failureOf(command, error));
  if (errors.length > MOST_SHOWN) {
    const left = `and ${counted(errors.length - MOST_SHOWN, 'more error')}`;
    return [...failures, { name: command, type: fault.code, title: left, lines: [] }];
  }
  if (failures.length > 0) return failures;
  const [title = '', ...lines] = fault.message.split('\n');
  const hint = hintOf(fault);
  return [{ name: command, type: fault.code, title, lines: hint === undefined ? lines : [...lines, hint] }];
}

export const failureTitle = ({ command }: FailedRun): string => `${command} failed`;

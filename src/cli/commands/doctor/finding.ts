import type { Fault } from '../../../domain/index.ts';
import { type ExitCode, exitCodeOf } from '../../output/exit-codes.ts';
import { hintOf } from '../../output/remedies.ts';

/** The result of one test of the doctor. */
export interface DoctorResult {
  /** Short and stable: `address`, `connection`, `token`, … */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly message: string;
  readonly hint?: string;
  /** The exit code that a failure earns. */
  readonly exit?: ExitCode;
}

export const ok = (check: string, message: string): DoctorResult => ({ check, state: 'ok', message });

export const warning = (check: string, message: string, hint: string): DoctorResult => ({
  check,
  state: 'warning',
  message,
  hint,
});

export const skipped = (check: string, message: string): DoctorResult => ({ check, state: 'skipped', message });

/** The reason to skip a test of something that an invalid manifest may declare. */
export const UNREAD = 'not tested, because the manifest has errors';

export function failed(check: string, fault: Fault): DoctorResult {
  const hint = hintOf(fault);
  const finding = { check, state: 'failed', message: fault.message, exit: exitCodeOf(fault) } as const;
  return hint === undefined ? finding : { ...finding, hint };
}

import type { Fault } from '../../../domain/index.ts';
import { type ExitCode, exitCodeOf } from '../../output/exit-codes.ts';
import { hintOf } from '../../output/remedies.ts';

/** What one examination found out, in words that say what to do. */
export interface Finding {
  /** Short and stable: `address`, `connection`, `token`, … */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly says: string;
  readonly hint?: string;
  /** The exit code that a failure earns. */
  readonly exit?: ExitCode;
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says });

export const warning = (check: string, says: string, hint: string): Finding => ({
  check,
  state: 'warning',
  says,
  hint,
});

export const skipped = (check: string, says: string): Finding => ({ check, state: 'skipped', says });

/** Said of what the manifest may tell, while it can not be read. */
export const UNREAD = 'the manifest may name it, and it has errors';

export function failed(check: string, fault: Fault): Finding {
  const hint = hintOf(fault);
  const finding = { check, state: 'failed', says: fault.message, exit: exitCodeOf(fault) } as const;
  return hint === undefined ? finding : { ...finding, hint };
}

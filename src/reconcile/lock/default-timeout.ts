import { DEFAULT_SETTLE_SECONDS } from '../create/create-journal.ts';

const DEFAULT_TIMEOUT_SECONDS = 600;

/**
 * Returns the longest wait for other runs, in seconds, where nobody chose one. It outlasts the locks of a run that was killed on
 * another machine: two minutes for its file, then three and a half for its claim, or more where creates take effect later.
 */
export const defaultLockTimeout = (settleSeconds: number): number =>
  DEFAULT_TIMEOUT_SECONDS + Math.max(0, settleSeconds - DEFAULT_SETTLE_SECONDS);

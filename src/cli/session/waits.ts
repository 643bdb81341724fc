import { renderWait } from '../output/progress.ts';
import type { Io } from './io.ts';

/** The wait for a rate limit that was shown last, and who shows the next one; without anyone, it gets a line. */
export interface Waits {
  /** Seconds of the clock. */
  until: number;
  show: ((text: string) => void) | undefined;
}

const LEAST_WAIT_MS = 5000;

interface Shown {
  readonly waits: Waits;
  readonly io: Pick<Io, 'clock'>;
  readonly print: (text: string) => void;
}

/** Shows once that nothing is sent until a rate limit of the gateway ends, unless that is soon. */
export function showWait({ waits, io, print }: Shown, ms: number): void {
  const now = io.clock();
  if (ms < LEAST_WAIT_MS || now < waits.until) return;
  waits.until = now + ms / 1000;
  const text = renderWait(ms);
  if (waits.show) waits.show(text);
  else print(`${text}.`);
}

import type { TraceEvent } from '../../http/index.ts';
import { printable } from './layout/printable.ts';

const WAITS = { 'rate-limited': 'rate-limited', retry: 'retrying' } as const;

/** One line for what happened on the wire. */
export function renderTrace(event: TraceEvent): string {
  const what = `${event.method} ${printable(event.path)}`;
  const attempt = event.attempt > 1 ? ` (attempt ${event.attempt})` : '';
  if (event.kind === 'answer') return `${what}${attempt}: ${event.status}, ${Math.round(event.ms)} ms`;
  if (event.kind === 'failure') return `${what}${attempt}: ${event.code}, ${Math.round(event.ms)} ms`;
  return `${what}${attempt}: ${WAITS[event.reason]}, waiting ${Math.round(event.ms)} ms`;
}

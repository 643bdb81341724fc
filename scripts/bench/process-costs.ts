// Loaded before a program (`node --import`): when the program ends, writes to a file what it cost, and how long no request of it
// was under way. Nothing that happens in that time can be hidden behind the work of a gateway.
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';

/** The cost of a program: the peak of its resident memory in KiB, and times in milliseconds. */
export interface ProcessCosts {
  readonly peakKiB: number;
  readonly cpuMs: number;
  /** Until its first request left. Undefined without any. */
  readonly beforeMs?: number;
  /** While none of its requests was under way, from start to end. */
  readonly idleMs: number;
}

const underWay = new Set<unknown>();
let beforeMs: number | undefined;
let idleMs = 0;
let idleSince = 0;

subscribe('undici:request:create', (message) => {
  if (underWay.size === 0) idleMs += performance.now() - idleSince;
  underWay.add((message as { readonly request: unknown }).request);
  beforeMs ??= performance.now();
});

const end = (message: unknown): void => {
  const wasLast = underWay.delete((message as { readonly request: unknown }).request) && underWay.size === 0;
  if (wasLast) idleSince = performance.now();
};
subscribe('undici:request:trailers', end);
subscribe('undici:request:error', end);

process.on('exit', () => {
  const { PROCESS_COSTS_FILE: file } = process.env;
  const { user, system } = process.cpuUsage();
  const costs: ProcessCosts = {
    peakKiB: process.resourceUsage().maxRSS,
    cpuMs: (user + system) / 1000,
    ...(beforeMs === undefined ? {} : { beforeMs }),
    idleMs: idleMs + (underWay.size === 0 ? performance.now() - idleSince : 0),
  };
  if (file) writeFileSync(file, JSON.stringify(costs));
});

import { expect, test } from 'vitest';
import type { TraceEvent } from '../../../src/gateway/index.ts';
import { traceLog } from '../../../src/terraform/keyplane/trace-log.ts';

const wait = (ms: number, reason: 'rate-limited' | 'retry' = 'rate-limited'): TraceEvent => ({
  kind: 'wait',
  method: 'GET',
  path: '/api/token/',
  attempt: 1,
  reason,
  ms,
});

test('a wait for the request limit is a warning, once for all requests that wait until then', () => {
  const clock = { ms: 0 };
  const lines: string[] = [];
  const trace = traceLog(
    (level, message) => lines.push(`${level} ${message}`),
    () => clock.ms,
  );
  const warnings = (...events: readonly TraceEvent[]): readonly string[] => {
    lines.length = 0;
    events.forEach(trace);
    expect(lines.filter((line) => line === 'debug request')).toHaveLength(events.length);
    return lines.filter((line) => line !== 'debug request');
  };
  const minute = 'warn waiting 60 s: the gateway limits the number of requests';
  expect(warnings(wait(500), wait(60_000, 'retry'))).toEqual([]);
  expect(warnings(wait(60_000), wait(59_990), wait(60_500))).toEqual([minute]);
  clock.ms = 60_000;
  expect(warnings(wait(60_000))).toEqual([minute]);
});

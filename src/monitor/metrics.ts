import { Gauge, Registry } from 'prom-client';
import { type CheckReport, type CheckResult, isFlaky, usdFromQuota } from '../domain/index.ts';

export interface Metrics {
  /** Replaces the samples with those of a run. */
  record(report: CheckReport): void;
  /** In the text format of Prometheus. */
  text(): Promise<string>;
  readonly mediaType: string;
}

const LABELS = ['key', 'check', 'module', 'model'] as const;

const labelsOf = ({ key, check, module, model = '' }: CheckResult) => ({ key, check, module, model });

/** A skipped check has neither passed nor failed, and has no sample. */
const SUCCESS = { passed: 1, failed: 0 } as const;

const MICRO = 6;

/** Names and units follow Prometheus: seconds and dollars. */
function createGauges(registry: Registry) {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name: `keyplane_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  return {
    success: gauge('check_success', '1: the check passed; 0: it failed. Absent: it did not run.', LABELS),
    flaky: gauge('check_flaky', '1: the check passed only when it was tried again.', LABELS),
    duration: gauge('check_duration_seconds', 'Time that the last attempt took.', LABELS),
    firstByte: gauge('check_first_byte_seconds', 'Time until the first byte of the first answer.', LABELS),
    cost: gauge('check_cost_usd', 'What the check was charged, from the usage log.', LABELS),
    remaining: gauge('key_remaining_quota', 'Quota units that the key may still spend. Absent: unlimited.', ['key']),
    runSuccess: gauge('run_success', '1: the run came to its end and nothing failed.', []),
    runTime: gauge('run_timestamp_seconds', 'When the last run began.', []),
    runDuration: gauge('run_duration_seconds', 'Time that the last run took.', []),
  };
}

type Gauges = ReturnType<typeof createGauges>;

function recordResult(gauges: Gauges, result: CheckResult, { quotaPerUnit }: CheckReport): void {
  const labels = labelsOf(result);
  if (result.verdict === 'passed' || result.verdict === 'failed') gauges.success.set(labels, SUCCESS[result.verdict]);
  if (result.durationMs === undefined) return;
  gauges.flaky.set(labels, isFlaky(result) ? 1 : 0);
  gauges.duration.set(labels, result.durationMs / 1000);
  if (result.firstByteMs !== undefined) gauges.firstByte.set(labels, result.firstByteMs / 1000);
  const { charged } = result.cost;
  if (charged !== undefined && quotaPerUnit)
    gauges.cost.set(labels, Number(usdFromQuota(charged, quotaPerUnit, MICRO)));
}

/** Opens the gauges of a long-running check run. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const gauges = createGauges(registry);
  const { success, flaky, duration, firstByte, cost, remaining } = gauges;
  return {
    mediaType: registry.contentType,
    text: () => registry.metrics(),
    record(report) {
      for (const each of [success, flaky, duration, firstByte, cost, remaining]) each.reset();
      for (const result of report.results) recordResult(gauges, result, report);
      for (const [key, units] of Object.entries(report.remaining)) if (units !== null) remaining.set({ key }, units);
      const good = !report.fatal && !report.interrupted && report.results.every(({ verdict }) => verdict !== 'failed');
      gauges.runSuccess.set(good ? 1 : 0);
      gauges.runTime.set(report.startedAt / 1000);
      gauges.runDuration.set(report.durationMs / 1000);
    },
  };
}

import {
  type Artifact,
  type CheckReport,
  type CheckResult,
  isFlaky,
  type Json,
  renderDecimal,
  VERDICTS,
} from '../../../domain/index.ts';
import { faultData, plain } from './envelope.ts';

/** The facts of a picture or a video, without its bytes. */
const artifactData = ({ title, mediaType, bytes, facts }: Artifact) => ({
  title,
  mediaType,
  bytes: bytes.length,
  facts,
});

function resultData(result: CheckResult) {
  const { artifacts, startedAt, ...rest } = result;
  return {
    ...rest,
    flaky: isFlaky(result),
    startedAt: startedAt === undefined ? undefined : new Date(startedAt).toISOString(),
    exhibits: artifacts.map(artifactData),
  };
}

/** `data` of check, and `checks` of apply: every result with what was sent and what came. Costs are in quota units. */
export function checkReportData(report: CheckReport): Json {
  const {
    account,
    quotaPerUnit,
    startedAt,
    durationMs,
    results,
    remaining,
    cap,
    excess,
    capReached,
    interrupted,
    fatal,
  } = report;
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, results.filter((result) => result.verdict === verdict).length]),
  );
  return plain({
    summary: { ...counts, flaky: results.filter(isFlaky).length },
    account: account ?? null,
    quotaPerUnit: quotaPerUnit ? renderDecimal(quotaPerUnit) : null,
    startedAt: new Date(startedAt).toISOString(),
    durationMs,
    cap: cap ?? null,
    excess: excess ?? null,
    capReached,
    interrupted,
    remaining,
    results: results.map(resultData),
    fatal: fatal ? faultData(fatal) : null,
  });
}

import {
  type Advice,
  asFault,
  type Fault,
  type FaultCode,
  type Finding,
  mustBeRejected,
  type Verdict,
} from '../../domain/index.ts';
import {
  type CheckContext,
  type CheckRecord,
  type CheckRecorder,
  NotProven,
  type RunnableEntry,
} from '../check-module.ts';
import type { DraftRequest, PreparedRequest } from '../check-request.ts';
import { readRequestFiles } from '../media/request-files.ts';
import { openRecorder } from './check-recorder.ts';
import { isFinal, verdictOfFault } from './fault-verdict.ts';
import type { RedactText } from './redact.ts';

/** The outcome of one attempt at a check. */
export interface Attempt extends Advice {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly code?: string;
  readonly record: CheckRecord;
  readonly durationMs: number;
  /** Another attempt would end in the same way, or cost again. */
  readonly final: boolean;
}

/** A check of a key that is ready to be attempted. */
export type PreparedCheck = Omit<CheckContext, 'prepared' | 'recorder' | 'signal' | 'timeoutMs'> & {
  readonly entry: RunnableEntry;
  readonly draft: DraftRequest | undefined;
  readonly redactText: RedactText;
  /** Returns a signal that aborts after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
};

type AttemptResult = Pick<Attempt, 'verdict' | 'reason' | 'code' | 'hint' | 'remedy' | 'final'>;

function claimTimes(
  recorder: CheckRecorder,
  { spec, entry }: PreparedCheck,
  { record, durationMs }: { record: CheckRecord; durationMs: number },
): void {
  const { maxLatencyMs, maxFirstByteMs } = spec.expect;
  const latency = entry.isAsynchronous ? durationMs : (record.latencyMs ?? durationMs);
  if (maxLatencyMs !== undefined) {
    const claim = `the answer is complete within ${maxLatencyMs} ms`;
    recorder.claim(claim, latency <= maxLatencyMs, `${Math.round(latency)} ms`);
  }
  const { firstByteMs } = record;
  if (maxFirstByteMs === undefined || firstByteMs === undefined) return;
  const claim = `the first byte of the answer arrives within ${maxFirstByteMs} ms`;
  recorder.claim(claim, firstByteMs <= maxFirstByteMs, `${Math.round(firstByteMs)} ms`);
}

const renderBroken = ({ claim, found }: Finding): string =>
  found === undefined ? `assertion failed: ${claim}` : `assertion failed: ${claim} (found ${found})`;

/** The verdict of a complete record. A record without findings proves nothing. */
export function verdictOf({ findings }: Pick<CheckRecord, 'findings'>): Pick<Attempt, 'verdict' | 'reason'> {
  const broken = findings.filter(({ holds }) => !holds);
  const [first] = broken;
  if (first === undefined) {
    return findings.length > 0
      ? { verdict: 'passed' }
      : { verdict: 'unprovable', reason: 'the answer has nothing that could be checked' };
  }
  const more = broken.length > 1 ? `, and ${broken.length - 1} more` : '';
  return { verdict: 'failed', reason: `${renderBroken(first)}${more}` };
}

/** The faults of a request that was not answered: they show nothing about what the gateway enforces. */
const UNANSWERED: ReadonlySet<FaultCode> = new Set([
  'gateway.unreachable',
  'gateway.timeout',
  'gateway.connection-lost',
  'gateway.rate-limited',
  'gateway.unavailable',
]);

function outcomeOfFault(fault: Fault, check: PreparedCheck, isOverdue: boolean): AttemptResult {
  const outcome = outcomeOfAnyFault(fault, check, isOverdue);
  const isOpen = isOverdue || UNANSWERED.has(fault.code);
  return isOpen && mustBeRejected(check.entry.id) ? { ...outcome, verdict: 'unprovable' } : outcome;
}

function outcomeOfAnyFault(fault: Fault, check: PreparedCheck, isOverdue: boolean): AttemptResult {
  if (!isOverdue) return { ...verdictOfFault(fault, check.key), final: isFinal(fault.code) };
  const { limitedMs } = fault.detail;
  if (typeof limitedMs === 'number') return limitedResult(limitedMs);
  // The fault only reports that the call was aborted; the reason is our deadline.
  const limit = check.spec.timeoutMs ?? check.entry.timeoutMs;
  return {
    verdict: 'failed',
    code: 'gateway.timeout',
    reason: `no complete answer within ${limit / 1000} s`,
    final: false,
  };
}

/** The deadline came while a limit held the request back: the gateway was not slow, and nothing was served. */
const limitedResult = (limitedMs: number): AttemptResult => ({
  verdict: 'failed',
  code: 'gateway.rate-limited',
  reason: `the gateway, or its upstream, kept responding with 429 for ${Math.round(limitedMs / 1000)} s`,
  hint: 'Raise the limit, or run the check at another time. The rejected requests cost nothing.',
  final: false,
});

/** Reads the files of the request; undefined for a module that sends none. */
export async function prepareRequest({ draft, spec }: PreparedCheck): Promise<PreparedRequest | undefined> {
  if (draft === undefined) return undefined;
  const read = await readRequestFiles(spec, draft);
  return 'errors' in read || read.body === draft.body ? draft : { ...draft, body: read.body };
}

/** Joins the lines of a list: `breaks limits: a: too long; b: too short`. */
const joinLines = (text: string): string => text.replace(/:\s*\n\s*/g, ': ').replace(/\s*\n\s*/g, '; ');

/** Makes one attempt. Never throws: any trouble becomes the verdict. Reasons and hints are redacted. */
export async function attempt(check: PreparedCheck): Promise<Attempt> {
  const { reason, hint, ...rest } = await attemptUnredacted(check);
  return {
    ...rest,
    ...(reason === undefined ? {} : { reason: joinLines(check.redactText(reason)) }),
    ...(hint === undefined ? {} : { hint: check.redactText(hint) }),
  };
}

async function attemptUnredacted(check: PreparedCheck): Promise<Attempt> {
  const { entry, spec, clock, deadline } = check;
  const { recorder, record } = openRecorder(check.model, check.redactText);
  const timeoutMs = spec.timeoutMs ?? entry.timeoutMs;
  const signal = deadline(timeoutMs);
  const began = clock.now();
  try {
    await entry.run({ ...check, prepared: await prepareRequest(check), recorder, signal, timeoutMs });
    const durationMs = clock.now() - began;
    claimTimes(recorder, check, { record, durationMs });
    const ending = verdictOf(record);
    const advice = ending.verdict === 'failed' ? record.advice : undefined;
    return { ...ending, ...advice, record, durationMs, final: false };
  } catch (thrown) {
    const durationMs = clock.now() - began;
    if (thrown instanceof NotProven) {
      const { verdict, message: reason, advice } = thrown;
      return { verdict, reason, ...advice, record, durationMs, final: true };
    }
    const fault = asFault(thrown);
    const { requestId } = fault.detail;
    if (typeof requestId === 'string') record.requestIds.push(requestId);
    return { ...outcomeOfFault(fault, check, signal.aborted), record, durationMs };
  }
}

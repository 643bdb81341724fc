import { type Advice, asFault, type Fault, type Finding, type Verdict } from '../../domain/index.ts';
import {
  type CheckModuleEntry,
  type CheckRecord,
  type CheckRecorder,
  type CheckRequest,
  NotProven,
  type Trial,
} from '../check-module.ts';
import { readRequestFiles } from '../media/request-files.ts';
import { openRecorder } from './check-recorder.ts';
import { isFinal, verdictOfFault } from './fault-verdict.ts';
import type { RedactText } from './redact.ts';

/** How one attempt at a check ended. */
export interface Attempt extends Advice {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly code?: string;
  readonly record: CheckRecord;
  readonly durationMs: number;
  /** Trying again makes no sense. */
  readonly final: boolean;
}

/** What an attempt is made from: a trial without what the attempt itself brings. */
export type Case = Omit<Trial, 'recorder' | 'signal' | 'timeoutMs'> & {
  readonly entry: CheckModuleEntry;
  readonly redactText: RedactText;
  /** Ends after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
};

const latencyOf = (
  { record, durationMs }: { record: CheckRecord; durationMs: number },
  { isAsynchronous }: CheckModuleEntry,
) => (isAsynchronous ? durationMs : (record.latencyMs ?? durationMs));

function judgeTimes(
  recorder: CheckRecorder,
  { spec, entry }: Case,
  times: { record: CheckRecord; durationMs: number },
): void {
  const { maxLatencyMs, maxFirstByteMs } = spec.expect;
  const latency = latencyOf(times, entry);
  if (maxLatencyMs !== undefined) {
    recorder.claim(
      `the answer is whole within ${maxLatencyMs} ms`,
      latency <= maxLatencyMs,
      `${Math.round(latency)} ms`,
    );
  }
  const { firstByteMs } = times.record;
  if (maxFirstByteMs === undefined || firstByteMs === undefined) return;
  recorder.claim(
    `its first byte comes within ${maxFirstByteMs} ms`,
    firstByteMs <= maxFirstByteMs,
    `${Math.round(firstByteMs)} ms`,
  );
}

const saidBy = ({ claim, found }: Finding): string =>
  found === undefined ? `not so: ${claim}` : `not so: ${claim} (found ${found})`;

/** The verdict of an check-recorder that came to its end. Nothing claimed is nothing proven. */
export function verdictOf({ findings }: Pick<CheckRecord, 'findings'>): Pick<Attempt, 'verdict' | 'reason'> {
  const broken = findings.filter(({ holds }) => !holds);
  const [first] = broken;
  if (first === undefined) {
    return findings.length > 0
      ? { verdict: 'passed' }
      : { verdict: 'unprovable', reason: 'nothing in the answer could be withCharge' };
  }
  const more = broken.length > 1 ? `, and ${broken.length - 1} more` : '';
  return { verdict: 'failed', reason: `${saidBy(first)}${more}` };
}

function ofFault(
  fault: Fault,
  made: Case,
  overdue: boolean,
): Pick<Attempt, 'verdict' | 'reason' | 'code' | 'hint' | 'remedy' | 'final'> {
  const limit = made.spec.timeoutMs ?? made.entry.timeoutMs;
  // Whoever gave up says why: what the call itself says is that somebody did.
  if (overdue)
    return {
      verdict: 'failed',
      code: 'gateway.timeout',
      reason: `no whole answer within ${limit / 1000} s`,
      final: false,
    };
  return { ...verdictOfFault(fault, made.key), final: isFinal(fault.code) };
}

/** The request as it goes out, with its files in it; undefined: the module asks for nothing. */
export async function prepared(made: Case): Promise<CheckRequest | undefined> {
  if (made.plea === undefined) return undefined;
  const read = await readRequestFiles(made.spec, made.plea);
  return 'issues' in read ? made.plea : ({ ...made.plea, body: read.body } as CheckRequest);
}

/** `breaks limits: a: too long; b: too short`: a list in lines is one in a report, too, but in its line. */
const inALine = (text: string): string => text.replace(/:\s*\n\s*/g, ': ').replace(/\s*\n\s*/g, '; ');

/** Tries once. Never throws: whatever goes wrong is the verdict, reported without what may not be shown. */
export async function attempt(made: Case): Promise<Attempt> {
  const { reason, hint, ...rest } = await tried(made);
  return {
    ...rest,
    ...(reason === undefined ? {} : { reason: inALine(made.redactText(reason)) }),
    ...(hint === undefined ? {} : { hint: made.redactText(hint) }),
  };
}

async function tried(made: Case): Promise<Attempt> {
  const { entry, spec, clock, deadline } = made;
  const { recorder, record } = openRecorder(made.model, made.redactText);
  const timeoutMs = spec.timeoutMs ?? entry.timeoutMs;
  const signal = deadline(timeoutMs);
  const began = clock.now();
  try {
    await entry.examine({ ...made, plea: await prepared(made), recorder, signal, timeoutMs });
    const durationMs = clock.now() - began;
    judgeTimes(recorder, made, { record, durationMs });
    return { ...verdictOf(record), record, durationMs, final: false };
  } catch (thrown) {
    const durationMs = clock.now() - began;
    if (thrown instanceof NotProven) {
      const { verdict, message: reason, advice } = thrown;
      return { verdict, reason, ...advice, record, durationMs, final: true };
    }
    const fault = asFault(thrown);
    const { requestId } = fault.detail;
    if (typeof requestId === 'string') record.requestIds.push(requestId);
    return { ...ofFault(fault, made, signal.aborted), record, durationMs };
  }
}

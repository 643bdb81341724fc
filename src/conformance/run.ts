import { asFault } from '../domain/index.ts';
import type { AnyRequest, AnyResponse } from '../gateway/index.ts';
import { type ConformanceLevel, LEVELS } from '../wire/index.ts';
import { recordsIn, refusal, Unprovable } from './answers.ts';
import { type ConformanceFinding, judge, type Listed, type Probe, type Subject } from './probe.ts';
import { inferenceProbes, type ProbeSpending } from './probes/inference.ts';
import { READ_PROBES } from './probes/read.ts';
import { WRITE_PROBES } from './probes/write.ts';
import { openScratch, type Scratch } from './scratch.ts';

export interface ConformanceOptions {
  readonly ask: (question: AnyRequest) => Promise<AnyResponse>;
  readonly userId: number;
  readonly level: ConformanceLevel;
  /** Required for the level `inference`. */
  readonly spending?: ProbeSpending | undefined;
  /** Eight characters that make the names of this run its own. */
  readonly nonce: string;
  /** Milliseconds of a clock that never jumps. */
  readonly steady: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly onFinding?: (finding: ConformanceFinding, done: number, of: number) => void;
}

export interface ConformanceReport {
  readonly level: ConformanceLevel;
  readonly findings: readonly ConformanceFinding[];
  /** Names of keys of this run that could not be deleted, as far as the gateway shows. */
  readonly leftovers: readonly string[];
  readonly requests: number;
}

/** The probes of a level: those of the levels below, too. */
export const probesOf = (level: ConformanceLevel, spending?: ProbeSpending): readonly Probe[] =>
  [...READ_PROBES, ...WRITE_PROBES, ...(spending ? inferenceProbes(spending) : [])].filter(
    (probe) => LEVELS.indexOf(probe.level) <= LEVELS.indexOf(level),
  );

/** Asks a gateway everything that a level asks, one probe after another, and deletes every key that it made. */
export async function examineConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { level, spending, nonce, signal, userId, steady, onFinding } = options;
  let requests = 0;
  const ask = async (question: AnyRequest): Promise<AnyResponse> => {
    requests += 1;
    const answer = await options.ask(question);
    if (answer.status === 503 && /overloaded/.test(refusal(answer))) throw new Unprovable('the gateway is overloaded');
    return answer;
  };
  const scratch = openScratch(ask, nonce);
  const page = async (p: string): Promise<Listed> => {
    const { json } = await ask({ method: 'GET', path: '/api/token/', query: { p, page_size: '100' } });
    return { json, records: recordsIn(json) };
  };
  // Some gateways count pages from 0.
  const list = async (): Promise<Listed> => {
    const first = await page('1');
    if (first.records.length > 0) return first;
    const before = await page('0');
    return before.records.length > 0 ? before : first;
  };
  let listing: Promise<Listed> | undefined;
  const listed = (): Promise<Listed> => {
    listing ??= level === 'read' ? list() : listTwo(scratch, list);
    return listing;
  };
  const sleep = async (ms: number): Promise<void> => {
    await options.sleep(ms, signal);
    if (signal.aborted) throw new Unprovable('the run was interrupted');
  };
  const subject: Subject = { userId, ask, listed, scratch, sleep };
  const probes = probesOf(level, spending);
  const findings: ConformanceFinding[] = [];
  let leftovers: readonly string[] = [];
  try {
    for (const probe of probes) {
      if (signal.aborted) break;
      const finding = await examine(probe, subject, steady);
      findings.push(finding);
      onFinding?.(finding, findings.length, probes.length);
    }
  } finally {
    // Also after an interruption: nothing of a run stays.
    if (level !== 'read') leftovers = await scratch.clean();
  }
  return { level, findings, leftovers, requests };
}

/** Statements about a list need two keys in it. */
async function listTwo(scratch: Scratch, list: () => Promise<Listed>): Promise<Listed> {
  const found = await list();
  if (found.records.length >= 2) return found;
  for (const _ of [1, 2]) await scratch.send({});
  return await list();
}

async function examine(probe: Probe, subject: Subject, steady: () => number): Promise<ConformanceFinding> {
  const { id, level, title } = probe;
  const start = steady();
  const finding = (rest: Pick<ConformanceFinding, 'verdict' | 'meaning' | 'observed'>): ConformanceFinding => ({
    id,
    level,
    title,
    ...rest,
    ms: Math.round(steady() - start),
  });
  try {
    const observed = await probe.observe(subject);
    return finding({ observed, ...judge(probe, observed) });
  } catch (thrown) {
    if (thrown instanceof Unprovable) return finding({ verdict: 'unprovable', meaning: thrown.message });
    return finding({ verdict: 'engine-error', meaning: asFault(thrown).message });
  }
}

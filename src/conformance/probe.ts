import type { AnyRequest, AnyResponse } from '../gateway/index.ts';
import type { ConformanceLevel } from '../wire/index.ts';
import type { Scratch } from './scratch.ts';

/** A value that was observed, as a profile stores it. */
export type Observed = string;

/** The gateway as probes see it. */
export interface Subject {
  readonly userId: number;
  /** @throws Fault when no answer came */
  readonly ask: (question: AnyRequest) => Promise<AnyResponse>;
  /** The first page of raw keys, at least two of them where keys may be created. */
  readonly listed: () => Promise<Listed>;
  readonly scratch: Scratch;
  /** @throws Unprovable after an interruption of the run */
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Listed {
  readonly json: unknown;
  readonly records: readonly Record<string, unknown>[];
}

/** One statement about a gateway. */
export interface Probe {
  /** Short and stable, such as `keys.list.order`. A profile stores what was observed under it. */
  readonly id: string;
  readonly level: ConformanceLevel;
  /** The question that it answers, as a heading. */
  readonly title: string;
  /** The values with which a gateway conforms to the contract, and what each means. */
  readonly conforming: Readonly<Record<Observed, string>>;
  /** Other values that gateways of this family were seen with, and what each means for their users. */
  readonly known: Readonly<Record<Observed, string>>;
  /** @throws Unprovable */
  readonly observe: (subject: Subject) => Promise<Observed>;
}

export type ConformanceVerdict = 'conforms' | 'known-deviation' | 'unknown-deviation' | 'unprovable' | 'engine-error';

export interface ConformanceFinding {
  readonly id: string;
  readonly level: ConformanceLevel;
  readonly title: string;
  readonly verdict: ConformanceVerdict;
  /** Undefined: nothing was observed. */
  readonly observed?: Observed;
  /** The meaning of the value, or the reason why there is none. */
  readonly meaning: string;
  readonly ms: number;
}

export function judge(probe: Probe, observed: Observed): Pick<ConformanceFinding, 'verdict' | 'meaning'> {
  const conforming = probe.conforming[observed];
  if (conforming !== undefined) return { verdict: 'conforms', meaning: conforming };
  const known = probe.known[observed];
  if (known !== undefined) return { verdict: 'known-deviation', meaning: known };
  return { verdict: 'unknown-deviation', meaning: 'no gateway of this family was seen to do this' };
}

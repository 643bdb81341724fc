import type { Question, RawAnswer } from '../gateway/index.ts';
import type { Scratch } from './scratch.ts';

/**
 * The extent of a probe. `read` writes nothing; `write` makes keys without a budget and deletes them; `inference` pays
 * for a few requests with a key of its own, up to a limit.
 */
export const LEVELS = ['read', 'write', 'inference'] as const;
export type Level = (typeof LEVELS)[number];

/** A value that was observed, as a profile stores it. */
export type Observed = string;

/** Thrown by a probe that could not observe anything. */
export class Unprovable extends Error {}

/** The gateway as probes see it. */
export interface Subject {
  readonly userId: number;
  /** @throws Fault when no answer came */
  readonly ask: (question: Question) => Promise<RawAnswer>;
  /** The first page of raw keys, at least two of them where keys may be created. */
  readonly listed: () => Promise<Listed>;
  readonly scratch: Scratch;
}

export interface Listed {
  readonly json: unknown;
  readonly records: readonly Record<string, unknown>[];
}

/** One statement about a gateway. */
export interface Probe {
  /** Short and stable, such as `keys.list.order`. A profile stores what was observed under it. */
  readonly id: string;
  readonly level: Level;
  /** The question that it answers, as a heading. */
  readonly title: string;
  /** The values with which a gateway conforms to the contract, and what each means. */
  readonly conforming: Readonly<Record<Observed, string>>;
  /** Other values that gateways of this family were seen with, and what each means for their users. */
  readonly known: Readonly<Record<Observed, string>>;
  /** @throws Unprovable */
  readonly observe: (subject: Subject) => Promise<Observed>;
}

export type Verdict = 'conforms' | 'known-deviation' | 'unknown-deviation' | 'unprovable' | 'engine-error';

export interface Finding {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly verdict: Verdict;
  /** Undefined: nothing was observed. */
  readonly observed?: Observed;
  /** The meaning of the value, or the reason why there is none. */
  readonly meaning: string;
  readonly ms: number;
}

export function judge(probe: Probe, observed: Observed): Pick<Finding, 'verdict' | 'meaning'> {
  const conforming = probe.conforming[observed];
  if (conforming !== undefined) return { verdict: 'conforms', meaning: conforming };
  const known = probe.known[observed];
  if (known !== undefined) return { verdict: 'known-deviation', meaning: known };
  return { verdict: 'unknown-deviation', meaning: 'no gateway of this family was seen to do this' };
}

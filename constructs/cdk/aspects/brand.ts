import type { IAspect } from 'cdktf';
import type { SynthesizedBlock } from '../stack/synthesized.ts';

/** The same in every copy of the package and for both CDKs: a guardrail of another copy counts too. */
export const GUARDRAIL = Symbol.for('keyplane/guardrail');

/** The part of a guardrail that stacks use. */
export interface KeyRule extends IAspect {
  complaints(key: SynthesizedBlock): readonly string[];
  /** The violations of all keys together, once their own were asked for. Omitted: the guardrail judges each by itself. */
  totalComplaints?(): readonly string[];
}

export const isGuardrail = (aspect: IAspect): aspect is KeyRule => GUARDRAIL in aspect;

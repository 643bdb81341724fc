import type { IAspect } from 'cdktf';
import type { Written } from '../stack/synthesized.ts';

/** The same in every copy of the package, and for both CDKs: a rule of another copy is a rule. */
export const GUARDRAIL = Symbol.for('keyplane/guardrail');

/** What stacks ask of a guardrail. */
export interface KeyRule extends IAspect {
  complaints(key: Written): readonly string[];
}

export const isGuardrail = (aspect: IAspect): aspect is KeyRule => GUARDRAIL in aspect;

import { asFault, type FaultCode } from '../../domain/index.ts';
import type { Trial } from '../module.ts';

/** What came of asking for something forbidden. */
export type Refusal = { readonly code: FaultCode; readonly message: string } | 'let in';

/**
 * Asks, and says how it was refused. Faults that are no answer to the question go on: nobody knows what would have been
 * answered.
 */
export async function refusalOf(ask: () => Promise<unknown>, answers: readonly FaultCode[]): Promise<Refusal> {
  try {
    await ask();
    return 'let in';
  } catch (thrown) {
    const { code, message } = asFault(thrown);
    if (!answers.includes(code)) throw thrown;
    return { code, message };
  }
}

/** The faults by which a gateway refuses a key as such; which of them differs from gateway to gateway. */
export const KEY_REFUSALS: readonly FaultCode[] = [
  'key.refused',
  'key.exhausted',
  'key.model-not-allowed',
  'key.address-not-allowed',
  'key.group-not-allowed',
];

export function claimRefused({ exam }: Trial, claim: string, refusal: Refusal): void {
  exam.claim(claim, refusal !== 'let in', refusal === 'let in' ? 'it was let in' : refusal.code);
}

import { asFault, type FaultCode } from '../../domain/index.ts';
import type { Answered } from '../../gateway/index.ts';
import type { Body, Trial } from '../check-module.ts';
import { WITHOUT_LISTING } from '../run/model-choice.ts';

/** A request that is to be refused, and the answer that should not have come. */
export interface LetIn {
  readonly title: string;
  readonly body: Body | null;
  readonly answered: Answered<unknown>;
}

export interface Refusal {
  readonly code: FaultCode;
  readonly message: string;
  /** The gateway gives no reason but its status, 403: many things may be meant. */
  readonly isBare: boolean;
}

/**
 * Asks, and says how it was refused; undefined: it was let in, and what came is kept for the report. Faults that are no
 * answer to the question go on: nobody knows what would have been answered.
 */
export async function refusalOf(
  { exam }: Pick<Trial, 'exam'>,
  ask: () => Promise<LetIn>,
  answers: readonly FaultCode[],
): Promise<Refusal | undefined> {
  try {
    const { title, body, answered } = await ask();
    exam.exchange(title, body, answered);
    return undefined;
  } catch (thrown) {
    const { code, message, detail } = asFault(thrown);
    if (!answers.includes(code)) throw thrown;
    return { code, message, isBare: detail.status === 403 && !detail.code };
  }
}

export function claimRefused({ exam }: Pick<Trial, 'exam'>, claim: string, refusal: Refusal | undefined): void {
  exam.claim(claim, refusal !== undefined, refusal?.code ?? 'it was let in');
}

/** The gateway lists models for nobody, which the contract allows: that says nothing of the key. */
export const isWithoutListing = (refusal: Refusal | undefined): boolean =>
  refusal !== undefined && WITHOUT_LISTING.has(refusal.code);

/** How a key is refused a list of models; see {@link isWithoutListing}. */
export const refusalOfListing = (
  trial: Pick<Trial, 'exam' | 'signal'>,
  inference: Trial['inference'],
  proofs: readonly FaultCode[],
): Promise<Refusal | undefined> =>
  refusalOf(trial, () => askForModels({ ...trial, inference }), [...proofs, ...WITHOUT_LISTING]);

/** Lists the models of a key that should be told nothing. */
async function askForModels({ inference, signal }: Pick<Trial, 'inference' | 'signal'>): Promise<LetIn> {
  return { title: 'models', body: null, answered: await inference.models({ signal }) };
}

import { asFault, type FaultCode } from '../../domain/index.ts';
import type { Answered } from '../../gateway/index.ts';
import type { Body, Trial } from '../check-module.ts';
import { WITHOUT_LISTING } from '../run/model-choice.ts';

/** A request that is to be refused, and the answer that should not have come. */
export interface Accepted {
  readonly title: string;
  readonly body: Body | null;
  readonly answered: Answered<unknown>;
}

export interface Rejection {
  readonly code: FaultCode;
  readonly message: string;
  /** The gateway gives no reason but its status, 403: many things may be meant. */
  readonly isBare: boolean;
}

/**
 * Asks, and says how it was refused; undefined: it was let in, and what came is kept for the report. Faults that are no
 * answer to the question go on: nobody knows what would have been answered.
 */
export async function rejectionOf(
  { recorder }: Pick<Trial, 'recorder'>,
  ask: () => Promise<Accepted>,
  answers: readonly FaultCode[],
): Promise<Rejection | undefined> {
  try {
    const { title, body, answered } = await ask();
    recorder.exchange(title, body, answered);
    return undefined;
  } catch (thrown) {
    const { code, message, detail } = asFault(thrown);
    if (!answers.includes(code)) throw thrown;
    return { code, message, isBare: detail.status === 403 && !detail.code };
  }
}

export function claimRejected(
  { recorder }: Pick<Trial, 'recorder'>,
  claim: string,
  rejection: Rejection | undefined,
): void {
  recorder.claim(claim, rejection !== undefined, rejection?.code ?? 'it was let in');
}

/** The gateway lists models for nobody, which the contract allows: that says nothing of the key. */
export const isWithoutListing = (rejection: Rejection | undefined): boolean =>
  rejection !== undefined && WITHOUT_LISTING.has(rejection.code);

/** How a key is refused a list of models; see {@link isWithoutListing}. */
export const rejectionOfListing = (
  trial: Pick<Trial, 'recorder' | 'signal'>,
  inference: Trial['inference'],
  proofs: readonly FaultCode[],
): Promise<Rejection | undefined> =>
  rejectionOf(trial, () => askForModels({ ...trial, inference }), [...proofs, ...WITHOUT_LISTING]);

/** Lists the models of a key that should be reported nothing. */
async function askForModels({ inference, signal }: Pick<Trial, 'inference' | 'signal'>): Promise<Accepted> {
  return { title: 'models', body: null, answered: await inference.models({ signal }) };
}

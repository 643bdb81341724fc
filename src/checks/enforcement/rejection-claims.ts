import { asFault, type Fault, type FaultCode } from '../../domain/index.ts';
import type { Answered } from '../../gateway/index.ts';
import type { CheckContext } from '../check-module.ts';
import { WITHOUT_LISTING } from '../run/model-choice.ts';

/** A request that the gateway should have rejected, and its answer. */
export interface Accepted {
  readonly title: string;
  readonly body: unknown;
  readonly answered: Answered<unknown>;
}

export interface Rejection {
  readonly fault: Fault;
  readonly code: FaultCode;
  readonly message: string;
  /** The answer has no reason but its status, 403, which may mean many things. */
  readonly isBare: boolean;
  /**
   * The answer has no error in the form of a gateway of the family: something in front of it may have answered. A gateway
   * rejects a key without a code; one with a code may be of an upstream.
   */
  readonly isForeign: boolean;
  /** The gateway has no such endpoint. */
  readonly isAbsent: boolean;
}

/**
 * Sends a request and returns its rejection; undefined if the gateway accepted it, which is recorded.
 *
 * @param answers the faults that count as rejections. Others are thrown, because they do not show what the gateway would
 * have answered.
 */
export async function rejectionOf(
  { recorder }: Pick<CheckContext, 'recorder'>,
  send: () => Promise<Accepted>,
  answers: readonly FaultCode[],
): Promise<Rejection | undefined> {
  try {
    const { title, body, answered } = await send();
    recorder.exchange(title, body, answered);
    return undefined;
  } catch (thrown) {
    const fault = asFault(thrown);
    const { code, message, detail } = fault;
    if (!answers.includes(code)) throw thrown;
    return {
      fault,
      code,
      message,
      isBare: detail.status === 403 && !detail.code,
      isForeign: detail.type === undefined || (code === 'key.refused' && detail.code !== ''),
      isAbsent: detail.status === 404,
    };
  }
}

export function claimRejected(
  { recorder }: Pick<CheckContext, 'recorder'>,
  claim: string,
  rejection: Rejection | undefined,
): void {
  recorder.claim(claim, rejection !== undefined, rejection?.code ?? 'it was accepted');
}

/** Returns whether the gateway lists models for no key, which the contract allows and which proves nothing. */
export const isWithoutListing = (rejection: Rejection | undefined): boolean =>
  rejection !== undefined && WITHOUT_LISTING.has(rejection.code);

/** Returns the rejection of a listing of models; see {@link isWithoutListing}. @param note the end of its title in the report */
export const rejectionOfListing = (
  { recorder, inference, signal }: Pick<CheckContext, 'recorder' | 'inference' | 'signal'>,
  proofs: readonly FaultCode[],
  note = '',
): Promise<Rejection | undefined> =>
  rejectionOf(
    { recorder },
    async () => ({ title: `models${note}`, body: null, answered: await inference.models({ signal }) }),
    [...proofs, ...WITHOUT_LISTING],
  );

import { Fault } from '../../domain/index.ts';
import { type AnyFamily, type FamilyId, tryReadErrorBody, VideoSubmission } from '../../wire/index.ts';
import { ask } from '../inference/ask.ts';
import type { Answered, CallOptions, InferenceLine } from '../inference/line.ts';
import { sendable } from '../inference/sendable.ts';

export interface SubmitOptions extends CallOptions {
  /** For a model that no family claims: how its request is built. */
  readonly family?: FamilyId;
}

/** Faults that leave it open whether a task was made; `sent` tells the rest. */
const UNCLEAR: ReadonlySet<string> = new Set([
  'gateway.timeout',
  'gateway.connection-lost',
  'gateway.interrupted',
  'gateway.not-json',
  'gateway.unexpected-shape',
  'gateway.redirected',
]);

/** A proxy's 5xx, and one without an error body, come from somebody who does not know what the gateway did. */
const ofSomebodyElse = ({ code, detail }: Fault): boolean =>
  code === 'gateway.unavailable' && (detail.code === undefined || [502, 504].includes(Number(detail.status)));

const unclear = (fault: Fault): boolean =>
  fault.detail.sent !== 'no' && (UNCLEAR.has(fault.code) || ofSomebodyElse(fault));

function indeterminate(lost: Fault, about: { model: string; sentAt: number }): Fault {
  const at = new Date(about.sentAt).toISOString();
  return new Fault('gateway.indeterminate', `It is not known whether the video task was made: ${lost.message}`, {
    hint: `Do not submit it again before you have looked: it may be under way and paid for. Look in the usage log of this key for the model ${about.model} at ${at}, and in the gateway’s list of tasks.`,
    detail: { ...lost.detail, lost: lost.code, model: about.model, submittedAt: Math.floor(about.sentAt / 1000) },
    cause: lost,
  });
}

/**
 * Submits a video task, once: it is never sent again, whatever happens.
 * @throws Fault `request.invalid`; `gateway.indeterminate` when the answer was lost; those of `ask`
 */
export async function submitVideo(
  line: InferenceLine,
  given: { family: AnyFamily; body: { readonly model: string } },
  options: CallOptions,
): Promise<Answered<VideoSubmission>> {
  const body = await sendable(given);
  const { model } = given.body;
  const sentAt = line.clock.now();
  try {
    const reading = {
      schema: VideoSubmission,
      model,
      // Whatever else it says: what has a task id was taken.
      isError: (answer: unknown) =>
        !VideoSubmission.safeParse(answer).success && tryReadErrorBody(answer) !== undefined,
    };
    return await ask(line, { endpoint: 'submitVideo', body, options }, reading);
  } catch (thrown) {
    throw thrown instanceof Fault && unclear(thrown) ? indeterminate(thrown, { model, sentAt }) : thrown;
  }
}

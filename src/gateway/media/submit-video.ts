import { Fault } from '../../domain/index.ts';
import { type AnyFamily, type FamilyId, tryReadErrorBody, VideoSubmission } from '../../wire/index.ts';
import { isDefiniteRefusal } from '../definite-refusal.ts';
import { callInference, type ResponseFormat } from '../inference/call.ts';
import type { Answered, CallOptions, InferenceConnection } from '../inference/connection.ts';
import { prepareBody } from '../inference/prepare-body.ts';

/** The options of submitting a video task. */
export interface SubmitOptions extends CallOptions {
  /** Selects the request format of a model that no family claims. */
  readonly family?: FamilyId;
}

function indeterminateFault(lost: Fault, { model, sentAt }: { model: string; sentAt: number }): Fault {
  const at = new Date(sentAt).toISOString();
  return new Fault('gateway.indeterminate', `It is unknown whether the video task was created: ${lost.message}`, {
    hint: `Do not submit it again yet: the task may be running and paid for. Check the gateway’s task list, and the usage log of this key for the model ${model} at ${at}.`,
    detail: { ...lost.detail, lost: lost.code, model, submittedAt: Math.floor(sentAt / 1000) },
    cause: lost,
  });
}

/**
 * Submits a video task, once: it is never retried.
 * @throws Fault `request.invalid`; `gateway.indeterminate` when the response does not prove that no task was created; those of `callInference`
 */
export async function submitVideo(
  connection: InferenceConnection,
  request: { family: AnyFamily; body: { readonly model: string } },
  options: CallOptions,
): Promise<Answered<VideoSubmission>> {
  const body = await prepareBody(request);
  const { model } = request.body;
  const sentAt = connection.clock.now();
  const format: ResponseFormat<VideoSubmission> = {
    schema: VideoSubmission,
    model,
    // A response with a task id was accepted, whatever else it contains.
    isError: (response) => !VideoSubmission.safeParse(response).success && tryReadErrorBody(response) !== undefined,
  };
  try {
    return await callInference(connection, { endpoint: 'submitVideo', body, options }, format);
  } catch (thrown) {
    throw thrown instanceof Fault && !isDefiniteRefusal(thrown)
      ? indeterminateFault(thrown, { model, sentAt })
      : thrown;
  }
}

import type { AcceptedRequest } from '../inference/request.ts';
import { isJsonObject, objectsIn } from '../json-object.ts';
import type { Answer, StreamEvent } from '../server/answer.ts';
import { corruptImageEvents, corruptImages } from './corrupt-images.ts';
import { corruptVectors } from './corrupt-vectors.ts';
import { cutStream, cutText } from './cut-text.ts';
import type { ServingFailure } from './kinds.ts';
import { changeEvents, type EventChange } from './rewriting.ts';
import { misreportUsage, misreportUsageEvent } from './usage.ts';

const isNonEmptyText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Does this event mark something as complete, or report the usage of the whole? Covers every API. */
function isFinal(data: unknown): boolean {
  if (data === '[DONE]') return true;
  if (!isJsonObject(data)) return false;
  if (String(data.type ?? '').endsWith('.completed')) return true;
  if (Array.isArray(data.choices) && data.choices.length === 0) return true;
  if (objectsIn(data.choices).some(({ finish_reason: reason }) => isNonEmptyText(reason))) return true;
  return objectsIn(data.candidates).some(({ finishReason: reason }) => isNonEmptyText(reason));
}

/** Drops the events that mark a stream as complete. It then ends with the connection alone. */
const dropFinalEvent: EventChange = (data) => (isFinal(data) ? undefined : data);

async function corruptBody(
  request: AcceptedRequest<unknown>,
  failure: ServingFailure,
  body: unknown,
): Promise<unknown> {
  switch (failure.kind) {
    case 'pictures':
      return corruptImages(request, body, failure.how);
    case 'text':
      return cutText(body, failure.how);
    case 'vectors':
      return corruptVectors(body, failure.how);
    case 'usage':
      return misreportUsage(body, failure.how);
    default:
      return body;
  }
}

function corruptEvents(
  request: AcceptedRequest<unknown>,
  failure: ServingFailure,
  events: AsyncGenerator<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  switch (failure.kind) {
    case 'pictures':
      return changeEvents(events, corruptImageEvents(request, failure.how));
    case 'no-final-event':
      return changeEvents(events, dropFinalEvent);
    case 'text':
      return cutStream(events, failure.how);
    case 'usage':
      return changeEvents(events, misreportUsageEvent(failure.how));
    default:
      return events;
  }
}

/**
 * Applies the request's failure to an answer that was served and billed as if nothing were wrong. Refusals are not
 * changed.
 */
export async function corruptAnswer(request: AcceptedRequest<unknown>, answer: Answer): Promise<Answer> {
  const { failure } = request.incoming;
  if (failure === undefined || answer.status !== 200) return answer;
  if (answer.events) return { ...answer, events: corruptEvents(request, failure, answer.events) };
  return { ...answer, body: await corruptBody(request, failure, answer.body) };
}

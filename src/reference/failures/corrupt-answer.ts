import type { AcceptedRequest } from '../inference/request.ts';
import type { Answer, StreamEvent } from '../server/answer.ts';
import { corruptImageEvents, corruptImages } from './corrupt-images.ts';
import { corruptVectors } from './corrupt-vectors.ts';
import { cutStream, cutText } from './cut-text.ts';
import { dropFinalEvent } from './final-event.ts';
import type { ServingFailure } from './kinds.ts';
import { changeEvents } from './rewriting.ts';
import { misreportUsage, misreportUsageEvent } from './usage.ts';

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
 * An answer as the request's fault makes it. It was served and billed as if nothing were wrong with it; refusals are
 * left as they are.
 */
export async function corruptAnswer(request: AcceptedRequest<unknown>, answer: Answer): Promise<Answer> {
  const { failure } = request.incoming;
  if (failure === undefined || answer.status !== 200) return answer;
  if (answer.events) return { ...answer, events: corruptEvents(request, failure, answer.events) };
  return { ...answer, body: await corruptBody(request, failure, answer.body) };
}

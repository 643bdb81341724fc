import type { Request } from '../inference/request.ts';
import type { Answer, StreamEvent } from '../server/answer.ts';
import { spoiltPictures, spoiltPicturesInEvents } from './corrupt-images.ts';
import { spoiltVectors } from './corrupt-vectors.ts';
import { cutStream, cutText } from './cut-text.ts';
import { lessFinal } from './final-event.ts';
import type { Sabotage } from './kinds.ts';
import { eachChanged } from './rewriting.ts';
import { misreported, misreportedEvent } from './usage.ts';

async function sabotagedBody(request: Request<unknown>, sabotage: Sabotage, body: unknown): Promise<unknown> {
  switch (sabotage.kind) {
    case 'pictures':
      return spoiltPictures(request, body, sabotage.how);
    case 'text':
      return cutText(body, sabotage.how);
    case 'vectors':
      return spoiltVectors(body, sabotage.how);
    case 'usage':
      return misreported(body, sabotage.how);
    default:
      return body;
  }
}

function sabotagedEvents(
  request: Request<unknown>,
  sabotage: Sabotage,
  events: AsyncGenerator<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  switch (sabotage.kind) {
    case 'pictures':
      return eachChanged(events, spoiltPicturesInEvents(request, sabotage.how));
    case 'no-final-event':
      return eachChanged(events, lessFinal);
    case 'text':
      return cutStream(events, sabotage.how);
    case 'usage':
      return eachChanged(events, misreportedEvent(sabotage.how));
    default:
      return events;
  }
}

/**
 * An answer as the request's fault makes it. It was served and billed as if nothing were wrong with it; refusals are
 * left as they are.
 */
export async function sabotagedAnswer(request: Request<unknown>, answer: Answer): Promise<Answer> {
  const { sabotage } = request.call;
  if (sabotage === undefined || answer.status !== 200) return answer;
  if (answer.events) return { ...answer, events: sabotagedEvents(request, sabotage, answer.events) };
  return { ...answer, body: await sabotagedBody(request, sabotage, answer.body) };
}

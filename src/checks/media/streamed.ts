import type { EventStream } from '../../gateway/index.ts';
import type { CheckRecorder } from '../check-module.ts';

/** How an exchange is called in the report, and what was sent. */
interface SentCheck {
  readonly title: string;
  readonly request: unknown;
}

/**
 * All events of a stream. What came is kept for the report also when the stream breaks.
 * @throws Fault `stream.broken` and those of a body that breaks off
 */
export async function streamed<E>(
  recorder: CheckRecorder,
  { title, request }: SentCheck,
  stream: EventStream<E>,
): Promise<readonly E[]> {
  const events: E[] = [];
  try {
    for await (const event of stream.events) events.push(event);
    return events;
  } finally {
    const { status, requestId, timing } = stream;
    recorder.exchange(title, request, {
      raw: events,
      status,
      timing: { firstByteMs: timing.firstByteMs, totalMs: timing.totalMs ?? timing.firstByteMs },
      ...(requestId === undefined ? {} : { requestId }),
    });
  }
}

import type { EventStream } from '../gateway/index.ts';
import type { CheckRecorder } from './check-module.ts';

/**
 * Reads all events of a stream, and records them as an exchange, also when the stream breaks.
 *
 * @throws Fault `stream.broken`, and those of a connection that ends early
 */
export async function readStream<E>(
  recorder: CheckRecorder,
  { title, request }: { readonly title: string; readonly request: unknown },
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

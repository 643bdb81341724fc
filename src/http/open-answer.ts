import { type Opened, requestIdOf } from './attempt.ts';
import { NoAnswer } from './no-answer.ts';
import { noAnswerFault } from './no-answer-fault.ts';
import type { Answer, OpenAnswer } from './request.ts';

/** The answer with its body still on its way. */
export function openAnswer({ request, raw, body, ...head }: Opened, proxied: boolean): OpenAnswer {
  const close = () => {
    raw.giveUp();
    void body.return(undefined).catch(() => undefined);
  };
  const read = () =>
    body.next().catch((thrown: unknown) => {
      throw thrown instanceof NoAnswer ? noAnswerFault(request, thrown, proxied).fault : thrown;
    });
  return {
    status: raw.status,
    ...head,
    ...requestIdOf(raw),
    close,
    // No generator: one that is left before its first step would not close anything.
    body: {
      [Symbol.asyncIterator]: () => ({
        next: read,
        async return() {
          close();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}

/** The same of an answer that is here already. */
export function openWhole({ text, timing, ...head }: Answer): OpenAnswer {
  return {
    ...head,
    firstByteMs: timing.firstByteMs,
    elapsedMs: () => timing.totalMs,
    close: () => undefined,
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  };
}

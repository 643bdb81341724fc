import type { z } from 'zod';
import { ChatChunk, ImageEvent, NativeImageEvent, ResponsesEvent } from '../../wire/index.ts';

/** Whether the events so far are all that there are. */
export interface Ending<E> {
  saw(event: E): void;
  complete(): boolean;
}

/** How the events of one kind of stream are read. */
export interface Protocol<E> {
  readonly schema: z.ZodType<E>;
  /** Events that mean nothing here are passed over. */
  readonly concerns: (value: unknown) => boolean;
  readonly ending: () => Ending<E>;
  /** `[DONE]` says that all is well, even where no event did. */
  readonly doneIsEnd: boolean;
}

/** Complete when every choice that began has a reason to have ended: the end marker may be missing. */
function chatEnding(): Ending<ChatChunk> {
  const begun = new Set<number>();
  const ended = new Set<number>();
  return {
    saw({ choices }) {
      for (const { index, finish_reason: reason } of choices) {
        begun.add(index);
        if (reason) ended.add(index);
      }
    },
    complete: () => begun.size > 0 && begun.size === ended.size,
  };
}

/** Complete when so many events were final. */
function countedEnding<E>(isFinal: (event: E) => boolean, count = 1): () => Ending<E> {
  return () => {
    let seen = 0;
    return {
      saw(event) {
        if (isFinal(event)) seen += 1;
      },
      complete: () => seen >= count,
    };
  };
}

const all = (): boolean => true;

export const CHAT_STREAM: Protocol<ChatChunk> = {
  schema: ChatChunk,
  concerns: all,
  ending: chatEnding,
  doneIsEnd: true,
};

export const RESPONSES_STREAM: Protocol<ResponsesEvent> = {
  schema: ResponsesEvent,
  concerns: all,
  ending: countedEnding(({ type }) => type === 'response.completed' || type === 'response.incomplete'),
  doneIsEnd: false,
};

export const NATIVE_IMAGE_STREAM: Protocol<NativeImageEvent> = {
  schema: NativeImageEvent,
  concerns: all,
  ending: countedEnding(({ candidates }) => candidates.some(({ finishReason }) => Boolean(finishReason))),
  doneIsEnd: false,
};

const COMPLETED = /\.completed$/;
const IMAGE = /\.(partial_image|completed)$/;

export const isCompleted = ({ type }: ImageEvent): boolean => COMPLETED.test(type);

/** A stream of so many pictures. */
export const imageStream = (pictures: number): Protocol<ImageEvent> => ({
  schema: ImageEvent,
  concerns: (value) => IMAGE.test(String((value as { type?: unknown } | null)?.type)),
  ending: countedEnding(isCompleted, pictures),
  doneIsEnd: false,
});

import * as z from 'zod';
import { ChatChunk, ImageEvent, NativeImageEvent, ResponsesEvent } from '../../wire/index.ts';

/** Tracks whether a stream has delivered all of its events. */
export interface CompletionTracker<E> {
  observe(event: E): void;
  isComplete(): boolean;
}

/** The rules of one kind of stream. */
export interface StreamProtocol<E> {
  readonly schema: z.ZodType<E>;
  /** Events that are not relevant are skipped. */
  readonly isRelevant: (value: unknown) => boolean;
  readonly trackCompletion: () => CompletionTracker<E>;
  /** `[DONE]` completes the stream even when no event did. */
  readonly doneCompletes: boolean;
}

/** Complete when every choice that began has a finish reason: the end marker may be missing. */
function trackChoices(): CompletionTracker<ChatChunk> {
  const begun = new Set<number>();
  const ended = new Set<number>();
  return {
    observe({ choices }) {
      for (const { index, finish_reason: reason } of choices) {
        begun.add(index);
        if (reason) ended.add(index);
      }
    },
    isComplete: () => begun.size > 0 && begun.size === ended.size,
  };
}

/** Complete after `count` final events. */
function trackFinalEvents<E>(isFinal: (event: E) => boolean, count = 1): () => CompletionTracker<E> {
  return () => {
    let seen = 0;
    return {
      observe(event) {
        if (isFinal(event)) seen += 1;
      },
      isComplete: () => seen >= count,
    };
  };
}

const always = (): boolean => true;

export const CHAT_STREAM: StreamProtocol<ChatChunk> = {
  schema: ChatChunk,
  isRelevant: always,
  trackCompletion: trackChoices,
  doneCompletes: true,
};

export const RESPONSES_STREAM: StreamProtocol<ResponsesEvent> = {
  schema: ResponsesEvent,
  isRelevant: always,
  trackCompletion: trackFinalEvents(({ type }) => type === 'response.completed' || type === 'response.incomplete'),
  doneCompletes: false,
};

export const NATIVE_IMAGE_STREAM: StreamProtocol<NativeImageEvent> = {
  schema: NativeImageEvent,
  isRelevant: always,
  trackCompletion: trackFinalEvents(({ candidates }) => candidates.some(({ finishReason }) => Boolean(finishReason))),
  doneCompletes: false,
};

const COMPLETED = /\.completed$/;
const TypedEvent = z.looseObject({ type: z.string().regex(/\.(partial_image|completed)$/) });

export const isCompleted = ({ type }: ImageEvent): boolean => COMPLETED.test(type);

/** The stream of `count` images. */
export const imageStream = (count: number): StreamProtocol<ImageEvent> => ({
  schema: ImageEvent,
  isRelevant: (value) => TypedEvent.safeParse(value).success,
  trackCompletion: trackFinalEvents(isCompleted, count),
  doneCompletes: false,
});

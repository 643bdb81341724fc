import type { NativeImageEvent } from '../../gateway/index.ts';
import { NATIVE_IMAGE_MODELS, type NativeImageRequest } from '../../wire/index.ts';
import type { CheckContext, CheckRecorder } from '../check-module.ts';
import { readStream } from '../read-stream.ts';
import { decodeImage } from './decoded-image.ts';
import { claimImages } from './image-claims.ts';
import { requestedImageOf } from './requested-image.ts';

const imagesIn = (events: readonly NativeImageEvent[]) =>
  events
    .flatMap(({ candidates }) => candidates.flatMap(({ content }) => content?.parts ?? []))
    .flatMap(({ inlineData }) => inlineData ?? []);

function claimEnd(recorder: CheckRecorder, events: readonly NativeImageEvent[]): void {
  const reasons = events.flatMap(({ candidates }) => candidates.flatMap(({ finishReason }) => finishReason ?? []));
  recorder.claim(
    'the finish reason is STOP',
    reasons.length > 0 && reasons.every((reason) => reason === 'STOP'),
    reasons.join(', '),
  );
}

/** Tokens that some models count in the total, but neither in input nor in output. */
const OTHER_TOKENS = ['thoughtsTokenCount', 'toolUsePromptTokenCount'] as const;

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

function claimUsage(recorder: CheckRecorder, events: readonly NativeImageEvent[]): void {
  const usage: Readonly<Record<string, unknown>> | null | undefined = events.findLast(
    ({ usageMetadata }) => usageMetadata,
  )?.usageMetadata;
  recorder.claim('the stream reports its usage', Boolean(usage));
  if (!usage) return;
  const [input, output] = [numberIn(usage.promptTokenCount), numberIn(usage.candidatesTokenCount)];
  const { totalTokenCount: total } = usage;
  const sum = OTHER_TOKENS.reduce((tokens, name) => tokens + numberIn(usage[name]), input + output);
  const addsUp = total === undefined || total === null || total === sum;
  recorder.claim(
    'the usage figures add up',
    input > 0 && output > 0 && addsUp,
    `${input} + ${output}, ${total ?? sum} in all`,
  );
}

/** Checks images that arrive in the lines of a native stream. */
export async function checkNativeStream(context: CheckContext, body: NativeImageRequest): Promise<void> {
  const { inference, recorder, spec, signal, model } = context;
  const stream = await inference.streamNativeImages(model, body, { signal });
  const events = await readStream(recorder, { title: 'native generation in a stream', request: body }, stream);
  const named = new Set(events.flatMap(({ modelVersion }) => modelVersion ?? []));
  // The contract does not show that native events name their model.
  if (named.size > 0) recorder.answeredBy(...named);
  const images = await Promise.all(imagesIn(events).map(({ bytes, mediaType }) => decodeImage(bytes, mediaType)));
  // The model decides how many images it returns: at least one.
  const count = Math.max(1, images.length);
  const asked = { ...requestedImageOf({ family: 'native-image', body }), count };
  const requested = NATIVE_IMAGE_MODELS[model]?.usesImageSize === false ? { ...asked, sizeClass: undefined } : asked;
  claimImages(recorder, images, { requested, expect: spec.expect });
  claimEnd(recorder, events);
  claimUsage(recorder, events);
}

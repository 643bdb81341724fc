import type { NativeImageEvent } from '../../gateway/index.ts';
import type { NativeImageRequest } from '../../wire/index.ts';
import type { CheckRecorder, CheckRequest, Trial } from '../check-module.ts';
import { decodeImage } from './decoded-image.ts';
import { claimImages } from './image-claims.ts';
import { requestedImageOf } from './requested-image.ts';
import { streamed } from './streamed.ts';

const imagesIn = (events: readonly NativeImageEvent[]) =>
  events
    .flatMap(({ candidates }) => candidates.flatMap(({ content }) => content?.parts ?? []))
    .flatMap(({ inlineData }) => inlineData ?? []);

function claimEnd(recorder: CheckRecorder, events: readonly NativeImageEvent[]): void {
  const reasons = events.flatMap(({ candidates }) => candidates.flatMap(({ finishReason }) => finishReason ?? []));
  recorder.claim(
    'it ended because it was done',
    reasons.length > 0 && reasons.every((reason) => reason === 'STOP'),
    reasons.join(', '),
  );
}

/** Tokens that are in the total and in neither of the two, by the names that some models have for them. */
const OTHERS = ['thoughtsTokenCount', 'toolUsePromptTokenCount'] as const;

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

function claimUsage(recorder: CheckRecorder, events: readonly NativeImageEvent[]): void {
  const usage: Readonly<Record<string, unknown>> | null | undefined = events.findLast(
    ({ usageMetadata }) => usageMetadata,
  )?.usageMetadata;
  recorder.claim('the stream tells its usage', Boolean(usage));
  if (!usage) return;
  const [input, output] = [numberIn(usage.promptTokenCount), numberIn(usage.candidatesTokenCount)];
  const { totalTokenCount: total } = usage;
  const sum = OTHERS.reduce((tokens, name) => tokens + numberIn(usage[name]), input + output);
  const addsUp = total === undefined || total === null || total === sum;
  recorder.claim(
    'the usage figures add up',
    input > 0 && output > 0 && addsUp,
    `${input} + ${output}, ${total ?? sum} in all`,
  );
}

/** Proves a key by an image that comes in one or more lines of a native stream. */
export async function checkNativeStream(trial: Trial, plea: CheckRequest): Promise<void> {
  const { inference, recorder, spec, signal, model } = trial;
  const stream = await inference.streamNativeImages(model, plea.body as unknown as NativeImageRequest, { signal });
  const events = await streamed(recorder, { title: 'native generation in a stream', request: plea.body }, stream);
  for (const named of new Set(events.map(({ modelVersion }) => modelVersion))) recorder.answeredBy(named);
  const found = imagesIn(events);
  const images = await Promise.all(found.map(({ bytes, mediaType }) => decodeImage(bytes, mediaType)));
  // How many it makes, the model decides: one at least.
  const requested = { ...requestedImageOf(plea), count: Math.max(1, images.length) };
  claimImages(recorder, images, { requested, expect: spec.expect });
  claimEnd(recorder, events);
  claimUsage(recorder, events);
}

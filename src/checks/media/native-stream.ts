import type { NativeImageEvent } from '../../gateway/index.ts';
import type { NativeImageRequest } from '../../wire/index.ts';
import type { Examination, Plea, Trial } from '../check-module.ts';
import { lookAtPicture } from './picture.ts';
import { claimPictures } from './picture-claims.ts';
import { wishOf } from './picture-config.ts';
import { streamed } from './streamed.ts';

const picturesIn = (events: readonly NativeImageEvent[]) =>
  events
    .flatMap(({ candidates }) => candidates.flatMap(({ content }) => content?.parts ?? []))
    .flatMap(({ inlineData }) => inlineData ?? []);

function claimEnd(exam: Examination, events: readonly NativeImageEvent[]): void {
  const reasons = events.flatMap(({ candidates }) => candidates.flatMap(({ finishReason }) => finishReason ?? []));
  exam.claim(
    'it ended because it was done',
    reasons.length > 0 && reasons.every((reason) => reason === 'STOP'),
    reasons.join(', '),
  );
}

/** Tokens that are in the total and in neither of the two, by the names that some models have for them. */
const OTHERS = ['thoughtsTokenCount', 'toolUsePromptTokenCount'] as const;

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

function claimUsage(exam: Examination, events: readonly NativeImageEvent[]): void {
  const usage: Readonly<Record<string, unknown>> | null | undefined = events.findLast(
    ({ usageMetadata }) => usageMetadata,
  )?.usageMetadata;
  exam.claim('the stream tells its usage', Boolean(usage));
  if (!usage) return;
  const [input, output] = [numberIn(usage.promptTokenCount), numberIn(usage.candidatesTokenCount)];
  const { totalTokenCount: total } = usage;
  const sum = OTHERS.reduce((tokens, name) => tokens + numberIn(usage[name]), input + output);
  const addsUp = total === undefined || total === null || total === sum;
  exam.claim(
    'the usage figures add up',
    input > 0 && output > 0 && addsUp,
    `${input} + ${output}, ${total ?? sum} in all`,
  );
}

/** Proves a key by a picture that comes in one or more lines of a native stream. */
export async function examineNativeStream(trial: Trial, plea: Plea): Promise<void> {
  const { inference, exam, spec, signal, model } = trial;
  const stream = await inference.streamNativeImages(model, plea.body as unknown as NativeImageRequest, { signal });
  const events = await streamed(exam, { title: 'native generation in a stream', request: plea.body }, stream);
  for (const named of new Set(events.map(({ modelVersion }) => modelVersion))) exam.answeredBy(named);
  const found = picturesIn(events);
  const pictures = await Promise.all(found.map(({ bytes, mediaType }) => lookAtPicture(bytes, mediaType)));
  // How many it makes, the model decides: one at least.
  const wish = { ...wishOf(plea), count: Math.max(1, pictures.length) };
  claimPictures(exam, pictures, { wish, expect: spec.expect });
  claimEnd(exam, events);
  claimUsage(exam, events);
}

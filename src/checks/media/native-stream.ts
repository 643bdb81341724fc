import type { NativeImageEvent } from '../../gateway/index.ts';
import type { NativeImageRequest } from '../../wire/index.ts';
import type { Examination, Plea, Trial } from '../module.ts';
import { lookAtPicture } from './picture.ts';
import { claimPictures } from './picture-claims.ts';
import { wishOf } from './picture-wish.ts';
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

/** Tokens of thinking are in the total and in neither of the two. */
function claimUsage(exam: Examination, events: readonly NativeImageEvent[]): void {
  const usage = events.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata;
  exam.claim('the stream tells its usage', Boolean(usage));
  const { promptTokenCount: input, candidatesTokenCount: output } = usage ?? {};
  const total = (usage as { readonly totalTokenCount?: unknown } | undefined)?.totalTokenCount;
  if (typeof input !== 'number' || typeof output !== 'number') return;
  const found = `${input} + ${output}, ${total ?? 'nothing'} in all`;
  const addsUp = typeof total !== 'number' || total >= input + output;
  exam.claim('the usage figures add up', input > 0 && output > 0 && addsUp, found);
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

import type { ImageStep } from '../../gateway/index.ts';
import type { AlphaImageRequest } from '../../wire/index.ts';
import type { CheckRecorder, CheckRequest, Trial } from '../check-module.ts';
import { decodeImage } from './decoded-image.ts';
import { claimDecoded, claimImages } from './image-claims.ts';
import { claimTokens } from './image-usage.ts';
import { requestedImageOf } from './requested-image.ts';
import { streamed } from './streamed.ts';

const isPartial = ({ kind }: ImageStep): boolean => kind === 'partial';

/** Contract, “Family alpha”: fewer partial images than asked may arrive. */
function claimNumbers(
  recorder: CheckRecorder,
  steps: readonly ImageStep[],
  asked: { partials: number; images: number },
) {
  const numbers = steps.filter(isPartial).map(({ index }) => index ?? -1);
  const most = asked.partials * asked.images;
  recorder.claim(`at most ${most} partial images come`, numbers.length <= most, String(numbers.length));
  const inOrder = numbers.every((number, at) =>
    asked.images === 1 ? number === at : number >= 0 && number < asked.partials,
  );
  recorder.claim('partial images are numbered from 0', inOrder, numbers.join(', '));
  const last = steps.at(-1);
  recorder.claim('the last event brings a completed image', last !== undefined && !isPartial(last));
}

async function claimPartials(recorder: CheckRecorder, steps: readonly ImageStep[], format: string | undefined) {
  for (const [index, { bytes, mediaType }] of steps.filter(isPartial).entries()) {
    const name = `partial image ${index + 1}`;
    const image = await decodeImage(bytes, mediaType);
    recorder.artifact({ title: name, mediaType, bytes, ...(image.facts ? { facts: image.facts } : {}) });
    if (claimDecoded(recorder, name, image) === undefined || format === undefined) continue;
    recorder.claim(`${name} is ${format}, as was asked`, image.facts?.format === format, image.facts?.format);
  }
}

/** Proves a key by an image that comes in steps: partial ones, then the completed one. */
export async function checkAlphaStream(
  { inference, recorder, spec, signal }: Trial,
  plea: CheckRequest,
): Promise<void> {
  const { body } = plea;
  const stream = await inference.streamImages(body as unknown as AlphaImageRequest, { signal });
  const steps = await streamed(recorder, { title: 'generation in a stream', request: body }, stream);
  const requested = requestedImageOf(plea);
  const partials = typeof body.partial_images === 'number' ? body.partial_images : 0;
  claimNumbers(recorder, steps, { partials, images: requested.count });
  await claimPartials(recorder, steps, requested.format);
  const completed = steps.filter((step) => !isPartial(step));
  const images = await Promise.all(completed.map(({ bytes, mediaType }) => decodeImage(bytes, mediaType)));
  claimImages(recorder, images, { requested, expect: spec.expect });
  for (const { usage } of completed) claimTokens(recorder, usage);
}

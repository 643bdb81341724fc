import type { ImageStep } from '../../gateway/index.ts';
import type { CheckContext, CheckRecorder } from '../check-module.ts';
import type { CheckRequest } from '../check-request.ts';
import { readStream } from '../read-stream.ts';
import { type DecodedImage, decodeImage } from './decoded-image.ts';
import { claimTokens } from './image-answer.ts';
import { claimDecoded, claimImages } from './image-claims.ts';
import { requestedImageOf } from './requested-image.ts';

const isPartial = ({ kind }: ImageStep): boolean => kind === 'partial';

/** Contract, “Family alpha”: fewer partial images than requested may arrive. */
function claimNumbers(
  recorder: CheckRecorder,
  steps: readonly ImageStep[],
  requested: { partials: number; images: number },
): void {
  const numbers = steps.filter(isPartial).map(({ index }) => index ?? -1);
  const max = requested.partials * requested.images;
  recorder.claim(`at most ${max} partial images arrive`, numbers.length <= max, String(numbers.length));
  const inOrder = numbers.every((number, at) =>
    requested.images === 1 ? number === at : number >= 0 && number < requested.partials,
  );
  recorder.claim('partial images are numbered from 0', inOrder, numbers.join(', '));
  const last = steps.at(-1);
  recorder.claim('the last event has a completed image', last !== undefined && !isPartial(last));
}

async function claimPartials(recorder: CheckRecorder, steps: readonly ImageStep[], format: string | undefined) {
  for (const [index, { bytes, mediaType }] of steps.filter(isPartial).entries()) {
    const name = `partial image ${index + 1}`;
    const image = await decodeImage(bytes, mediaType);
    recorder.artifact({ title: name, mediaType, bytes, ...(image.facts ? { facts: image.facts } : {}) });
    if (claimDecoded(recorder, name, image) === undefined || format === undefined) continue;
    recorder.claim(`${name} is ${format}, as requested`, image.facts?.format === format, image.facts?.format);
  }
}

/** Checks a stream of partial images and completed ones. Returns the completed ones. */
export async function checkAlphaStream(
  { inference, recorder, spec, signal }: CheckContext,
  request: CheckRequest<'alpha-image' | 'alpha-edit'>,
): Promise<readonly DecodedImage[]> {
  const isEdit = request.family === 'alpha-edit';
  const stream = isEdit
    ? await inference.streamEdits(request.body, { signal })
    : await inference.streamImages(request.body, { signal });
  const title = `${isEdit ? 'edit' : 'generation'} in a stream`;
  const steps = await readStream(recorder, { title, request: request.body }, stream);
  const requested = requestedImageOf(request);
  claimNumbers(recorder, steps, { partials: request.body.partial_images ?? 0, images: requested.count });
  await claimPartials(recorder, steps, requested.format);
  const completed = steps.filter((step) => !isPartial(step));
  const images = await Promise.all(completed.map(({ bytes, mediaType }) => decodeImage(bytes, mediaType)));
  claimImages(recorder, images, { requested, expect: spec.expect });
  for (const { usage } of completed) claimTokens(recorder, usage);
  return images;
}

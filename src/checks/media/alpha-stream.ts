import type { ImageStep } from '../../gateway/index.ts';
import type { AlphaImageRequest } from '../../wire/index.ts';
import type { Examination, Plea, Trial } from '../check-module.ts';
import { claimTokens } from './image-usage.ts';
import { lookAtPicture } from './picture.ts';
import { claimDecoded, claimPictures } from './picture-claims.ts';
import { wishOf } from './picture-config.ts';
import { streamed } from './streamed.ts';

const isPartial = ({ kind }: ImageStep): boolean => kind === 'partial';

/** Contract, “Family alpha”: fewer partial pictures than asked may arrive. */
function claimNumbers(exam: Examination, steps: readonly ImageStep[], asked: { partials: number; pictures: number }) {
  const numbers = steps.filter(isPartial).map(({ index }) => index ?? -1);
  const most = asked.partials * asked.pictures;
  exam.claim(`at most ${most} partial pictures come`, numbers.length <= most, String(numbers.length));
  const inOrder = numbers.every((number, at) =>
    asked.pictures === 1 ? number === at : number >= 0 && number < asked.partials,
  );
  exam.claim('partial pictures are numbered from 0', inOrder, numbers.join(', '));
  const last = steps.at(-1);
  exam.claim('the last event brings a completed picture', last !== undefined && !isPartial(last));
}

async function claimPartials(exam: Examination, steps: readonly ImageStep[], format: string | undefined) {
  for (const [index, { bytes, mediaType }] of steps.filter(isPartial).entries()) {
    const name = `partial picture ${index + 1}`;
    const picture = await lookAtPicture(bytes, mediaType);
    exam.exhibit({ title: name, mediaType, bytes, ...(picture.facts ? { facts: picture.facts } : {}) });
    if (claimDecoded(exam, name, picture) === undefined || format === undefined) continue;
    exam.claim(`${name} is ${format}, as was asked`, picture.facts?.format === format, picture.facts?.format);
  }
}

/** Proves a key by a picture that comes in steps: partial ones, then the completed one. */
export async function examineAlphaStream({ inference, exam, spec, signal }: Trial, plea: Plea): Promise<void> {
  const { body } = plea;
  const stream = await inference.streamImages(body as unknown as AlphaImageRequest, { signal });
  const steps = await streamed(exam, { title: 'generation in a stream', request: body }, stream);
  const wish = wishOf(plea);
  const partials = typeof body.partial_images === 'number' ? body.partial_images : 0;
  claimNumbers(exam, steps, { partials, pictures: wish.count });
  await claimPartials(exam, steps, wish.format);
  const completed = steps.filter((step) => !isPartial(step));
  const pictures = await Promise.all(completed.map(({ bytes, mediaType }) => lookAtPicture(bytes, mediaType)));
  claimPictures(exam, pictures, { wish, expect: spec.expect });
  for (const { usage } of completed) claimTokens(exam, usage);
}

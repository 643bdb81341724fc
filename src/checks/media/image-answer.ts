import type { Answered, Images } from '../../gateway/index.ts';
import type { CheckContext, CheckRecorder } from '../check-module.ts';
import { type DecodedImage, decodeImage } from './decoded-image.ts';
import { nameOf } from './image-claims.ts';

type RawAnswer = { readonly data?: readonly { readonly mime_type?: unknown }[]; readonly output_format?: unknown };

/** The media type in the answer itself. The client's result has the requested one where the answer has none. */
function declaredType(raw: unknown, index: number): string | undefined {
  const { data, output_format: format } = (raw ?? {}) as RawAnswer;
  const type = Array.isArray(data) ? data[index]?.mime_type : undefined;
  if (typeof type === 'string') return type;
  return typeof format === 'string' ? `image/${format}` : undefined;
}

/**
 * Decodes the images of an answer, and downloads those that it links to.
 *
 * @throws Fault of a link that cannot be downloaded
 */
export async function answeredImages(
  { inference, recorder, signal }: Pick<CheckContext, 'inference' | 'recorder' | 'signal'>,
  { value, raw }: Answered<Images>,
): Promise<readonly DecodedImage[]> {
  const images: DecodedImage[] = [];
  for (const [index, { bytes, url }] of value.images.entries()) {
    const content = bytes ?? (url === undefined ? undefined : (await inference.readUrl(url, { signal })).value);
    if (content === undefined) recorder.claim(`image ${index + 1} comes as bytes or as a link`, false);
    else images.push(await decodeImage(content, declaredType(raw, index)));
  }
  return images;
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** The message of an error in a part of an answer. The contract does not show its shape. */
const errorIn = (value: unknown): string | undefined => {
  const { error } = membersOf(value);
  return error === undefined || error === null ? undefined : JSON.stringify(error);
};

/** Claims that each image is stored as requested: the failure of its storage does not fail the generation. */
export function claimStorage(recorder: CheckRecorder, { value }: Answered<Images>, body: object): void {
  const { storage_options: options } = membersOf(body);
  if (options === undefined) return;
  const { public_url: shared } = membersOf(options);
  for (const [index, { fileOutput }] of value.images.entries()) {
    const name = nameOf(index, value.images.length);
    const trouble = errorIn(fileOutput);
    const isStored = fileOutput !== undefined && trouble === undefined;
    recorder.claim(`${name} is stored, as requested`, isStored, trouble ?? 'no file information');
    if (!isStored || shared === undefined || shared === false) continue;
    const { public_url: link } = membersOf(fileOutput);
    const isShared = link !== undefined && link !== null && errorIn(link) === undefined;
    const claim = `${name.replace(/^the /, 'the stored ')} has a public URL, as requested`;
    recorder.claim(claim, isShared, errorIn(link) ?? 'none');
  }
}

/** Claims that input and output tokens add up, if the answer reports all three figures. */
export function claimTokens(recorder: CheckRecorder, usage: Images['usage']): void {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage ?? {};
  if (typeof input !== 'number' || typeof output !== 'number' || typeof total !== 'number') return;
  recorder.claim(
    'the usage figures add up',
    input + output === total && output > 0,
    `${input} + ${output}, ${total} in all`,
  );
}

/** Claims the usage that the answer reports. The contract does not demand any. */
export function claimUsage(recorder: CheckRecorder, { value, raw }: Answered<Images>): void {
  claimTokens(recorder, value.usage);
  const { usage } = (raw ?? {}) as { readonly usage?: { readonly image_count?: unknown } };
  const count = usage?.image_count;
  if (typeof count !== 'number') return;
  recorder.claim('as many images are charged as there are', count === value.images.length, String(count));
}

import type { Answered, Images } from '../../gateway/index.ts';
import type { Trial } from '../check-module.ts';
import { type DecodedImage, decodeImage } from './decoded-image.ts';

type Listed = { readonly data?: readonly { readonly mime_type?: unknown }[]; readonly output_format?: unknown };

/** What the answer itself says; the client fills in what was asked where it says nothing. */
function declaredType(raw: unknown, index: number): string | undefined {
  const { data, output_format: format } = (raw ?? {}) as Listed;
  const type = Array.isArray(data) ? data[index]?.mime_type : undefined;
  if (typeof type === 'string') return type;
  return typeof format === 'string' ? `image/${format}` : undefined;
}

/** The images of an answer, fetched where it has links, and looked at. @throws Fault of a link that leads nowhere */
export async function answeredImages(
  { inference, recorder, signal }: Pick<Trial, 'inference' | 'recorder' | 'signal'>,
  { value, raw }: Answered<Images>,
): Promise<readonly DecodedImage[]> {
  const images: DecodedImage[] = [];
  for (const [index, { bytes, url }] of value.images.entries()) {
    const got = bytes ?? (url === undefined ? undefined : (await inference.readUrl(url, { signal })).value);
    if (got === undefined) recorder.claim(`image ${index + 1} comes as bytes or as a link`, false);
    else images.push(await decodeImage(got, declaredType(raw, index)));
  }
  return images;
}

import * as z from 'zod';
import { type AnyFamily, GammaImages, type ImageEvent, ListedImages } from '../../wire/index.ts';
import { isCompleted } from '../inference/protocols.ts';

/** One image of a response: its bytes, or a link to it that expires. */
export interface ImageResult {
  readonly bytes?: Uint8Array;
  readonly url?: string;
  readonly mediaType?: string;
  readonly revisedPrompt?: string;
  /** The gateway's report on native storage, where it was requested. Its failure does not affect the image. */
  readonly fileOutput?: unknown;
}

export interface Images {
  readonly images: readonly ImageResult[];
  readonly usage?: ImageEvent['usage'];
}

/** One event of a stream of images. */
export interface ImageStep {
  readonly kind: 'partial' | 'completed';
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The number of a partial image, from 0. */
  readonly index?: number;
  readonly usage?: ImageEvent['usage'];
  readonly event: ImageEvent;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined | null> };

/** Omits the members that are undefined or null. */
const omitMissing = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<T>;

const mediaTypeOf = (format: string): string => `image/${format}`;

const listed = (requestedFormat: string) =>
  ListedImages.transform(({ data, output_format, usage }): Images => {
    const fallback = mediaTypeOf(output_format ?? requestedFormat);
    const images = data.map(({ b64_json: bytes, url, mime_type, revised_prompt: revisedPrompt, file_output }) => {
      const mediaType = mime_type ?? (bytes ? fallback : undefined);
      return omitMissing({ bytes, url, mediaType, revisedPrompt, fileOutput: file_output });
    });
    return { images, ...omitMissing({ usage }) };
  });

const gamma = GammaImages.transform(
  ({ output }): Images => ({
    images: output.choices
      .flatMap(({ message }) => message.content)
      .flatMap(({ image }) => (image ? [{ url: image, mediaType: 'image/png' }] : [])),
  }),
);

/** The schema of a family's response. `requestedFormat` is the output format requested from family alpha. */
export const imagesFormat = (family: AnyFamily, requestedFormat = 'png') =>
  // Through some channels, family gamma answers like the others.
  family.id === 'gamma-image' ? z.union([gamma, listed(requestedFormat)]) : listed(requestedFormat);

export function stepFrom(event: ImageEvent, requestedFormat = 'png'): ImageStep {
  const { b64_json: bytes, partial_image_index: index, output_format, usage } = event;
  return {
    kind: isCompleted(event) ? 'completed' : 'partial',
    bytes,
    mediaType: mediaTypeOf(output_format ?? requestedFormat),
    ...omitMissing({ index, usage }),
    event,
  };
}

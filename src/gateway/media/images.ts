import * as z from 'zod';
import { type AnyFamily, GammaImages, type ImageEvent, ListedImages } from '../../wire/index.ts';
import { isCompleted } from '../inference/protocols.ts';

interface ImageFacts {
  /** The prompt as the model revised it. */
  readonly revisedPrompt?: string;
  /** The gateway's report on native storage, where it was requested. Its failure does not affect the image. */
  readonly fileOutput?: unknown;
}

/** An image whose bytes are part of the response. */
export interface ImageBytes extends ImageFacts {
  /** Distinguishes the results. */
  readonly kind: 'bytes';
  /** The encoded image. */
  readonly bytes: Uint8Array;
  /** For example `image/png`: as the gateway reports it, or as it was requested. */
  readonly mediaType: string;
  /** A link to the same image, where the gateway sends both. */
  readonly url?: string;
}

/** An image behind a link that expires. `Inference.saveUrl` and `readUrl` download it. */
export interface ImageLink extends ImageFacts {
  /** Distinguishes the results. */
  readonly kind: 'link';
  /** The link to the image. */
  readonly url: string;
  /** Absent where the gateway does not report it. */
  readonly mediaType?: string;
  /** Never present. */
  readonly bytes?: undefined;
}

/** An image that the gateway lists without its bytes and without a link. */
export interface MissingImage extends ImageFacts {
  /** Distinguishes the results. */
  readonly kind: 'missing';
  /** Never known. */
  readonly mediaType?: string;
  /** Never present. */
  readonly bytes?: undefined;
  /** Never present. */
  readonly url?: undefined;
}

/** One image of a response: its bytes, or a link to it. `kind` distinguishes them. */
export type ImageResult = ImageBytes | ImageLink | MissingImage;

/** The images of one response. */
export interface Images {
  /** The images, in the order of the response. */
  readonly images: readonly ImageResult[];
  /** The tokens that were used, where the gateway reports them. */
  readonly usage?: ImageEvent['usage'];
}

/** One event of a stream of images. */
export interface ImageStep {
  /** A partial image, or a completed one. */
  readonly kind: 'partial' | 'completed';
  /** The encoded image. */
  readonly bytes: Uint8Array;
  /** For example `image/png`. */
  readonly mediaType: string;
  /** The number of a partial image, from 0. */
  readonly index?: number;
  /** The tokens that were used, with the last event. */
  readonly usage?: ImageEvent['usage'];
  /** The event as the gateway sent it, with the image decoded. */
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
    const images = data.map(
      ({ b64_json: bytes, url, mime_type, revised_prompt: revisedPrompt, file_output }): ImageResult => {
        const facts = omitMissing({ revisedPrompt, fileOutput: file_output });
        if (bytes) return { kind: 'bytes', bytes, mediaType: mime_type ?? fallback, ...omitMissing({ url }), ...facts };
        const more = { ...omitMissing({ mediaType: mime_type }), ...facts };
        return typeof url === 'string' ? { kind: 'link', url, ...more } : { kind: 'missing', ...more };
      },
    );
    return { images, ...omitMissing({ usage }) };
  });

const gamma = GammaImages.transform(
  ({ output }): Images => ({
    images: output.choices
      .flatMap(({ message }) => message.content)
      .flatMap(({ image }) => (image ? [{ kind: 'link', url: image, mediaType: 'image/png' } as const] : [])),
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

import { type AnyFamily, GammaImages, type ImageEvent, ListedImages } from '../../wire/index.ts';
import { isCompleted } from '../inference/protocols.ts';

/** One picture of an answer: its bytes, or a link to it that expires. */
export interface ImageResult {
  readonly bytes?: Uint8Array;
  readonly url?: string;
  readonly mediaType?: string;
  readonly revisedPrompt?: string;
  /** What the gateway says of native storage, where that was asked for. A failure of it is none of the picture. */
  readonly fileOutput?: unknown;
}

export interface Images {
  readonly images: readonly ImageResult[];
  readonly usage?: ImageEvent['usage'];
}

/** One event of a stream of pictures. */
export interface ImageStep {
  readonly kind: 'partial' | 'completed';
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Of a partial picture: which one it is, from 0. */
  readonly index?: number;
  readonly usage?: ImageEvent['usage'];
  readonly event: ImageEvent;
}

type Known<T> = { [K in keyof T]?: Exclude<T[K], undefined | null> };

const known = <T extends object>(members: T): Known<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as Known<T>;

const typeOf = (format: string): string => `image/${format}`;

const listed = (format: string) =>
  ListedImages.transform(({ data, output_format, usage }): Images => {
    const fallback = typeOf(output_format ?? format);
    const images = data.map(({ b64_json: bytes, url, mime_type, revised_prompt: revisedPrompt, file_output }) => {
      const mediaType = mime_type ?? (bytes ? fallback : undefined);
      return known({ bytes, url, mediaType, revisedPrompt, fileOutput: file_output });
    });
    return { images, ...known({ usage }) };
  });

const gamma = GammaImages.transform(
  ({ output }): Images => ({
    images: output.choices
      .flatMap(({ message }) => message.content)
      .flatMap(({ image }) => (image ? [{ url: image, mediaType: 'image/png' }] : [])),
  }),
);

/** How the answer of a family is read. `format` is what alpha was asked to encode its pictures as. */
export const imagesOf = (family: AnyFamily, format = 'png') => (family.id === 'gamma-image' ? gamma : listed(format));

export function stepOf(event: ImageEvent, format = 'png'): ImageStep {
  const { b64_json: bytes, partial_image_index: index, output_format, usage } = event;
  return {
    kind: isCompleted(event) ? 'completed' : 'partial',
    bytes,
    mediaType: typeOf(output_format ?? format),
    ...known({ index, usage }),
    event,
  };
}

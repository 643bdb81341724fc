import { tryDecodeBase64 } from '../../wire/index.ts';
import type { AcceptedRequest } from '../inference/request.ts';
import { sourceBytes } from '../media/images/sources.ts';
import { isJsonObject, type JsonObject, objectsIn } from './rewriting.ts';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Of family beta: `image` or the first of `images`, by its URL or its id. */
const namedIn = ({ image, images }: JsonObject): string | undefined => {
  const [first] = objectsIn(isJsonObject(image) ? [image] : images);
  return textIn(first?.url) ?? textIn(first?.file_id);
};

/** Of family gamma: the first picture of the message. */
function shownIn({ input }: JsonObject): string | undefined {
  const [message] = objectsIn(isJsonObject(input) ? input.messages : []);
  return objectsIn(message?.content)
    .map(({ image }) => textIn(image))
    .find((image) => image !== undefined);
}

/** Of the native request: the first part with data. */
const inlineIn = ({ contents }: JsonObject): string | undefined =>
  objectsIn(contents)
    .flatMap(({ parts }) => objectsIn(parts))
    .map(({ inlineData }) => (isJsonObject(inlineData) ? textIn(inlineData.data) : undefined))
    .find((data) => data !== undefined);

/** The first picture that a request wants edited, in the words of any family; undefined: it wants none edited. */
export async function firstSource({ context, body }: AcceptedRequest<unknown>): Promise<Uint8Array | undefined> {
  if (!isJsonObject(body)) return undefined;
  const [upload] = objectsIn(body.image);
  if (upload?.bytes instanceof Uint8Array) return upload.bytes;
  const inline = inlineIn(body);
  if (inline !== undefined) return tryDecodeBase64(inline);
  const named = namedIn(body) ?? shownIn(body);
  return named === undefined ? undefined : sourceBytes(context, named, 'image');
}

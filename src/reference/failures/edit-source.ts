import { tryDecodeBase64 } from '../../wire/index.ts';
import type { Request } from '../inference/request.ts';
import { sourceBytes } from '../media/images/sources.ts';
import { type Fields, fieldsIn, isFields } from './rewriting.ts';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Of family beta: `image` or the first of `images`, by its URL or its id. */
const namedIn = ({ image, images }: Fields): string | undefined => {
  const [first] = fieldsIn(isFields(image) ? [image] : images);
  return textIn(first?.url) ?? textIn(first?.file_id);
};

/** Of family gamma: the first picture of the message. */
function shownIn({ input }: Fields): string | undefined {
  const [message] = fieldsIn(isFields(input) ? input.messages : []);
  return fieldsIn(message?.content)
    .map(({ image }) => textIn(image))
    .find((image) => image !== undefined);
}

/** Of the native request: the first part with data. */
const inlineIn = ({ contents }: Fields): string | undefined =>
  fieldsIn(contents)
    .flatMap(({ parts }) => fieldsIn(parts))
    .map(({ inlineData }) => (isFields(inlineData) ? textIn(inlineData.data) : undefined))
    .find((data) => data !== undefined);

/** The first picture that a request wants edited, in the words of any family; undefined: it wants none edited. */
export async function firstSource({ site, body }: Request<unknown>): Promise<Uint8Array | undefined> {
  if (!isFields(body)) return undefined;
  const [upload] = fieldsIn(body.image);
  if (upload?.bytes instanceof Uint8Array) return upload.bytes;
  const inline = inlineIn(body);
  if (inline !== undefined) return tryDecodeBase64(inline);
  const named = namedIn(body) ?? shownIn(body);
  return named === undefined ? undefined : sourceBytes(site, named, 'image');
}

import { corruptImage, resizedSource } from '../../synthetic/index.ts';
import { tryDecodeBase64 } from '../../wire/index.ts';
import type { AcceptedRequest } from '../inference/request.ts';
import { isJsonObject, type JsonObject, objectsIn, tryReadText } from '../json-object.ts';
import { FILES_PATH, hostFile } from '../media/hosted-files.ts';
import { sourceBytes } from '../media/images/sources.ts';
import type { ImageFlaw } from './kinds.ts';
import { changeObjects, type EventChange, type ObjectChange } from './rewriting.ts';

/** Reads the URL or ID from `image` or from the first of `images`, as in family beta. */
const namedIn = ({ image, images }: JsonObject): string | undefined => {
  const [first] = objectsIn(isJsonObject(image) ? [image] : images);
  return tryReadText(first?.url) ?? tryReadText(first?.file_id);
};

/** Finds the first image of the message, as in family gamma. */
function shownIn({ input }: JsonObject): string | undefined {
  const [message] = objectsIn(isJsonObject(input) ? input.messages : []);
  return objectsIn(message?.content)
    .map(({ image }) => tryReadText(image))
    .find((image) => image !== undefined);
}

/** Finds the first part with data, as in a native request. */
const inlineIn = ({ contents }: JsonObject): string | undefined =>
  objectsIn(contents)
    .flatMap(({ parts }) => objectsIn(parts))
    .map(({ inlineData }) => (isJsonObject(inlineData) ? tryReadText(inlineData.data) : undefined))
    .find((data) => data !== undefined);

/** The first image that a request of any family asks to edit; undefined when it asks for no edit. */
async function firstSource({ context, body }: AcceptedRequest<unknown>): Promise<Uint8Array | undefined> {
  if (!isJsonObject(body)) return undefined;
  const [upload] = objectsIn(body.image);
  if (upload?.bytes instanceof Uint8Array) return upload.bytes;
  const inline = inlineIn(body);
  if (inline !== undefined) return tryDecodeBase64(inline);
  const named = namedIn(body) ?? shownIn(body);
  return named === undefined ? undefined : sourceBytes(context, named, 'image');
}

type CorruptImage = (image: Uint8Array) => Promise<Uint8Array>;

async function corruptionFor(request: AcceptedRequest<unknown>, how: ImageFlaw): Promise<CorruptImage> {
  if (how === 'one-less') return async (image) => image;
  if (how !== 'unchanged') return (image) => corruptImage(image, how);
  const source = await firstSource(request);
  return async (image) => (source === undefined ? image : resizedSource(source, image));
}

async function corruptBase64(text: string, corrupt: CorruptImage): Promise<string> {
  return Buffer.from(await corrupt(new Uint8Array(Buffer.from(text, 'base64')))).toString('base64');
}

/** Links to the corrupt image for as long as the link to the original would have worked. */
async function corruptLink(
  { context, incoming }: AcceptedRequest<unknown>,
  link: string,
  corrupt: CorruptImage,
): Promise<string> {
  const now = context.clock.now();
  const [id = ''] = link.slice(`${incoming.origin}${FILES_PATH}`.length).split('.');
  const file = context.ledger.files.tryFind(id, now);
  if (file === undefined) return link;
  const bytes = await corrupt(new Uint8Array(file.bytes));
  return (
    incoming.origin + hostFile(context, { bytes, mediaType: file.media_type, seconds: file.expires_at - now }).path
  );
}

/** Covers the places of an image in each family: Base64 (alpha, beta, native streams) and links (beta, gamma). */
function changeOf(request: AcceptedRequest<unknown>, corrupt: CorruptImage): ObjectChange {
  const hosted = `${request.incoming.origin}${FILES_PATH}`;
  const changed = async (name: string, value: unknown, { mimeType }: JsonObject): Promise<unknown> => {
    if (typeof value !== 'string') return value;
    if (name === 'b64_json' || (name === 'data' && mimeType !== undefined)) return corruptBase64(value, corrupt);
    return value.startsWith(hosted) ? corruptLink(request, value, corrupt) : value;
  };
  return async (fields) => {
    const entries = Object.entries(fields).map(async ([name, value]) => [name, await changed(name, value, fields)]);
    return Object.fromEntries(await Promise.all(entries));
  };
}

function dropLastImage(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const { data, output } = body;
  if (Array.isArray(data)) return { ...body, data: data.slice(0, -1) };
  if (!isJsonObject(output)) return body;
  return { ...body, output: { ...output, choices: objectsIn(output.choices).slice(0, -1) } };
}

/** Corrupts the images in an answer of any family. */
export async function corruptImages(
  request: AcceptedRequest<unknown>,
  body: unknown,
  how: ImageFlaw,
): Promise<unknown> {
  if (how === 'one-less') return dropLastImage(body);
  return changeObjects(body, changeOf(request, await corruptionFor(request, how)));
}

const hasInlineData = (data: JsonObject): boolean =>
  objectsIn(data.candidates)
    .flatMap(({ content }) => objectsIn(isJsonObject(content) ? content.parts : []))
    .some(({ inlineData }) => inlineData !== undefined);

/** Drops the last image of a stream and all of its partial images. */
function dropLastImageEvent({ body }: AcceptedRequest<unknown>): EventChange {
  let left = (isJsonObject(body) ? Number(body.n ?? 1) : 1) - 1;
  return (data) => {
    if (!isJsonObject(data)) return data;
    if (hasInlineData(data)) return undefined;
    if (typeof data.b64_json !== 'string') return data;
    if (left === 0) return undefined;
    if (String(data.type).endsWith('.completed')) left -= 1;
    return data;
  };
}

/** Corrupts the images of a stream, partial ones too. */
export function corruptImageEvents(request: AcceptedRequest<unknown>, how: ImageFlaw): EventChange {
  if (how === 'one-less') return dropLastImageEvent(request);
  let change: Promise<ObjectChange> | undefined;
  return async (data) => {
    change ??= corruptionFor(request, how).then((corrupt) => changeOf(request, corrupt));
    return changeObjects(data, await change);
  };
}

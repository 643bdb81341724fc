import { spoilPicture, unedited } from '../../synthetic/index.ts';
import type { AcceptedRequest } from '../inference/request.ts';
import { FILES_PATH, hostFile } from '../media/hosted-files.ts';
import { firstSource } from './edit-source.ts';
import type { PictureFlaw } from './kinds.ts';
import {
  changeObjects,
  type EventChange,
  isJsonObject,
  type JsonObject,
  type ObjectChange,
  objectsIn,
} from './rewriting.ts';

type CorruptImage = (picture: Uint8Array) => Promise<Uint8Array>;

async function corruptionFor(request: AcceptedRequest<unknown>, how: PictureFlaw): Promise<CorruptImage> {
  if (how === 'one-less') return async (picture) => picture;
  if (how !== 'unchanged') return (picture) => spoilPicture(picture, how);
  const source = await firstSource(request);
  return async (picture) => (source === undefined ? picture : unedited(source, picture));
}

async function corruptBase64(text: string, corrupt: CorruptImage): Promise<string> {
  return Buffer.from(await corrupt(new Uint8Array(Buffer.from(text, 'base64')))).toString('base64');
}

/** A link to the spoilt picture, for as long as the one to the good picture would have held. */
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

/** Where the families put a picture: Base64 of alpha and beta, that of the native stream, links of beta and gamma. */
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

/** An answer with pictures, in the words of any family, that are not those that were asked for. */
export async function corruptImages(
  request: AcceptedRequest<unknown>,
  body: unknown,
  how: PictureFlaw,
): Promise<unknown> {
  if (how === 'one-less') return dropLastImage(body);
  return changeObjects(body, changeOf(request, await corruptionFor(request, how)));
}

const hasInlineData = (data: JsonObject): boolean =>
  objectsIn(data.candidates)
    .flatMap(({ content }) => objectsIn(isJsonObject(content) ? content.parts : []))
    .some(({ inlineData }) => inlineData !== undefined);

/** Leaves out the last picture of a stream with all that comes of it. */
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

/** The same for a stream: partial pictures are spoilt as whole ones are. */
export function corruptImageEvents(request: AcceptedRequest<unknown>, how: PictureFlaw): EventChange {
  if (how === 'one-less') return dropLastImageEvent(request);
  let change: Promise<ObjectChange> | undefined;
  return async (data) => {
    change ??= corruptionFor(request, how).then((corrupt) => changeOf(request, corrupt));
    return changeObjects(data, await change);
  };
}

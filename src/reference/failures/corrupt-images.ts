import { spoilPicture, unedited } from '../../synthetic/index.ts';
import type { Request } from '../inference/request.ts';
import { FILES_PATH, hostFile } from '../media/hosted-files.ts';
import { firstSource } from './edit-source.ts';
import type { PictureFlaw } from './kinds.ts';
import { type Change, type EventChange, type Fields, fieldsIn, isFields, rewritten } from './rewriting.ts';

type Spoil = (picture: Uint8Array) => Promise<Uint8Array>;

async function spoilFor(request: Request<unknown>, how: PictureFlaw): Promise<Spoil> {
  if (how === 'one-less') return async (picture) => picture;
  if (how !== 'unchanged') return (picture) => spoilPicture(picture, how);
  const source = await firstSource(request);
  return async (picture) => (source === undefined ? picture : unedited(source, picture));
}

async function spoiltBase64(text: string, spoil: Spoil): Promise<string> {
  return Buffer.from(await spoil(new Uint8Array(Buffer.from(text, 'base64')))).toString('base64');
}

/** A link to the spoilt picture, for as long as the one to the good picture would have held. */
async function spoiltLink({ site, call }: Request<unknown>, link: string, spoil: Spoil): Promise<string> {
  const now = site.clock.now();
  const [id = ''] = link.slice(`${call.origin}${FILES_PATH}`.length).split('.');
  const file = site.ledger.files.tryFind(id, now);
  if (file === undefined) return link;
  const bytes = await spoil(new Uint8Array(file.bytes));
  return call.origin + hostFile(site, { bytes, mediaType: file.media_type, seconds: file.expires_at - now }).path;
}

/** Where the families put a picture: Base64 of alpha and beta, that of the native stream, links of beta and gamma. */
function changeOf(request: Request<unknown>, spoil: Spoil): Change {
  const hosted = `${request.call.origin}${FILES_PATH}`;
  const changed = async (name: string, value: unknown, { mimeType }: Fields): Promise<unknown> => {
    if (typeof value !== 'string') return value;
    if (name === 'b64_json' || (name === 'data' && mimeType !== undefined)) return spoiltBase64(value, spoil);
    return value.startsWith(hosted) ? spoiltLink(request, value, spoil) : value;
  };
  return async (fields) => {
    const entries = Object.entries(fields).map(async ([name, value]) => [name, await changed(name, value, fields)]);
    return Object.fromEntries(await Promise.all(entries));
  };
}

function lessOne(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { data, output } = body;
  if (Array.isArray(data)) return { ...body, data: data.slice(0, -1) };
  if (!isFields(output)) return body;
  return { ...body, output: { ...output, choices: fieldsIn(output.choices).slice(0, -1) } };
}

/** An answer with pictures, in the words of any family, that are not those that were asked for. */
export async function spoiltPictures(request: Request<unknown>, body: unknown, how: PictureFlaw): Promise<unknown> {
  if (how === 'one-less') return lessOne(body);
  return rewritten(body, changeOf(request, await spoilFor(request, how)));
}

const hasInlineData = (data: Fields): boolean =>
  fieldsIn(data.candidates)
    .flatMap(({ content }) => fieldsIn(isFields(content) ? content.parts : []))
    .some(({ inlineData }) => inlineData !== undefined);

/** Leaves out the last picture of a stream with all that comes of it. */
function lessLast({ body }: Request<unknown>): EventChange {
  let left = (isFields(body) ? Number(body.n ?? 1) : 1) - 1;
  return (data) => {
    if (!isFields(data)) return data;
    if (hasInlineData(data)) return undefined;
    if (typeof data.b64_json !== 'string') return data;
    if (left === 0) return undefined;
    if (String(data.type).endsWith('.completed')) left -= 1;
    return data;
  };
}

/** The same for a stream: partial pictures are spoilt as whole ones are. */
export function spoiltPicturesInEvents(request: Request<unknown>, how: PictureFlaw): EventChange {
  if (how === 'one-less') return lessLast(request);
  let change: Promise<Change> | undefined;
  return async (data) => {
    change ??= spoilFor(request, how).then((spoil) => changeOf(request, spoil));
    return rewritten(data, await change);
  };
}

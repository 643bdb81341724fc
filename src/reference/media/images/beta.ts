import { countTokens, editImage, type ImageSpec, renderImage } from '../../../synthetic/index.ts';
import type { BetaEditRequest, BetaImageRequest, PixelSize } from '../../../wire/index.ts';
import type { Usage } from '../../billing/price.ts';
import { hashText } from '../../inference/content.ts';
import type { AcceptedRequest, Service, ServiceResult } from '../../inference/request.ts';
import { hostFile } from '../hosted-files.ts';
import { frameOf, tryReadRatio } from './frame.ts';
import { frameIn, sourceBytes } from './sources.ts';

type BetaRequest = BetaImageRequest | BetaEditRequest;

/** The format of this family's images, which the answer names for each. */
const FORMAT = 'jpeg';
const MEDIA_TYPE = 'image/jpeg';
const LINK_SECONDS = 3600;
/** The lifetime of a stored image without an expiry. */
const FOREVER = 100 * 365 * 86_400;

const PIXELS: Readonly<Record<string, number>> = { '1k': 1024 * 1024, '2k': 2048 * 2048 };

const frameFor = (body: BetaRequest, followed: PixelSize | undefined): PixelSize => {
  const ratio = tryReadRatio(body.aspect_ratio) ?? (followed ? followed.width / followed.height : 1);
  return frameOf(PIXELS[body.resolution ?? '1k'] ?? 0, ratio);
};

const usageFor = (body: BetaRequest): Usage => ({
  promptTokens: countTokens(body.prompt),
  completionTokens: 0,
  units: body.n ?? 1,
});

const specsFor = (body: BetaRequest, frame: PixelSize): readonly ImageSpec[] =>
  Array.from({ length: body.n ?? 1 }, (_, index) => ({
    text: body.prompt,
    seed: hashText(body.prompt) + index,
    ...frame,
    format: FORMAT,
    background: 'opaque',
  }));

/** Keeps an image in the gateway's own file store. Edits may name its ID as a source. */
function storeImage({ body, context, incoming }: AcceptedRequest<BetaRequest>, bytes: Uint8Array) {
  const options = body.storage_options;
  if (options === undefined) return undefined;
  const flaw = incoming.failure?.kind === 'storage' ? incoming.failure.how : undefined;
  if (flaw === 'file') return { error: { code: 'storage_failed', message: 'the image was not stored' } };
  const seconds = options.expires_after ?? FOREVER;
  const file = hostFile(context, { bytes, mediaType: MEDIA_TYPE, seconds });
  const expiry = (after: number | undefined) =>
    after === undefined ? {} : { expires_at: context.clock.now() + after };
  const kept = { file_id: file.id, filename: options.filename, bytes: bytes.length, ...expiry(options.expires_after) };
  const shared = options.public_url;
  if (shared === undefined || shared === false) return kept;
  if (flaw === 'public-url')
    return { ...kept, public_url: { error: { code: 'public_url_failed', message: 'the file has no public URL' } } };
  const seen = typeof shared === 'object' ? (shared.expires_after ?? options.expires_after) : options.expires_after;
  const link = hostFile(context, { bytes, mediaType: MEDIA_TYPE, seconds: seen ?? FOREVER });
  return { ...kept, public_url: { url: incoming.origin + link.path, ...expiry(seen) } };
}

function imageEntry(request: AcceptedRequest<BetaRequest>, bytes: Uint8Array) {
  const { body, context, incoming } = request;
  const file = storeImage(request, bytes);
  const more = { mime_type: MEDIA_TYPE, ...(file === undefined ? {} : { file_output: file }) };
  if (body.response_format === 'b64_json') return { b64_json: Buffer.from(bytes).toString('base64'), ...more };
  const hosted = hostFile(context, { bytes, mediaType: MEDIA_TYPE, seconds: LINK_SECONDS });
  return { url: incoming.origin + hosted.path, ...more };
}

function imagesAnswer(request: AcceptedRequest<BetaRequest>, images: readonly Uint8Array[]): ServiceResult {
  const data = images.map((bytes) => imageEntry(request, bytes));
  return { body: { created: request.context.clock.now(), data }, usage: usageFor(request.body) };
}

/** Contract: “Family beta (native JSON image request)”. */
export const betaImages: Service<BetaImageRequest> = {
  estimate: ({ body }) => usageFor(body),
  async serve(request) {
    const specs = specsFor(request.body, frameFor(request.body, undefined));
    return imagesAnswer(request, await Promise.all(specs.map(renderImage)));
  },
};

/** The source images, each with the path of the field that names it. */
function sourcesIn({ image, images = [] }: BetaEditRequest) {
  const items = [
    ...(image === undefined ? [] : [{ at: 'image', item: image }]),
    ...images.map((item, index) => ({ at: `images[${index}]`, item })),
  ];
  return items.map(({ at, item: { url, file_id: id = '' } }) =>
    url === undefined ? { path: `${at}.file_id`, source: id } : { path: `${at}.url`, source: url },
  );
}

/** Contract: “Family beta (JSON)”. Without a concrete ratio an edit keeps that of the first source. */
export const betaEdits: Service<BetaEditRequest> = {
  estimate: ({ body }) => usageFor(body),
  async serve(request) {
    const { body, context } = request;
    const sources = await Promise.all(sourcesIn(body).map(({ source, path }) => sourceBytes(context, source, path)));
    const [first] = sources;
    const specs = specsFor(body, frameFor(body, first && (await frameIn(first))));
    return imagesAnswer(request, await Promise.all(specs.map((spec) => editImage({ ...spec, sources }))));
  },
};

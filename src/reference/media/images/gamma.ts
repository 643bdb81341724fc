import { countTokens, editImage, type ImageSpec, renderImage } from '../../../synthetic/index.ts';
import type { PixelSize } from '../../../wire/index.ts';
import { type GammaImageRequest, tryParseGammaSize } from '../../../wire/index.ts';
import type { Usage } from '../../billing/price.ts';
import type { AcceptedRequest, Service } from '../../inference/request.ts';
import { hostFile } from '../hosted-files.ts';
import { frameOf } from './frame.ts';
import { frameIn, sourceBytes } from './sources.ts';

/** Contract: “family gamma hosted output”: links expire after 24 hours. */
const LINK_SECONDS = 24 * 3600;
const EDIT_PIXELS = 1024 * 1024;
/** The models whose default size is smaller. */
const SMALL_MODELS = /^gamma-image(-max|-plus)?$/;

interface Content {
  readonly text?: string | undefined;
  readonly image?: string | undefined;
}

const contentOf = (body: GammaImageRequest): readonly Content[] => body.input.messages[0]?.content ?? [];
const promptOf = (body: GammaImageRequest): string =>
  contentOf(body).find(({ text }) => text !== undefined)?.text ?? '';
const imagesOf = (body: GammaImageRequest) =>
  contentOf(body).flatMap(({ image }, index) =>
    image === undefined ? [] : [{ source: image, path: `input.messages[0].content[${index}].image` }],
  );

const usageFor = (body: GammaImageRequest): Usage => ({
  promptTokens: countTokens(promptOf(body)),
  completionTokens: 0,
  units: body.parameters?.n ?? 1,
});

/** The requested size; otherwise the model's default, or for an edit the proportions of the last source. */
async function frameFor(
  { body, model }: AcceptedRequest<GammaImageRequest>,
  sources: readonly Uint8Array[],
): Promise<PixelSize> {
  const asked = tryParseGammaSize(body.parameters?.size ?? '');
  if (asked) return asked;
  const last = sources.at(-1);
  if (last) {
    const { width, height } = await frameIn(last);
    return frameOf(EDIT_PIXELS, width / height);
  }
  return SMALL_MODELS.test(model) ? { width: 1664, height: 928 } : { width: 2048, height: 2048 };
}

/** Contract: “omit for random”. */
const seedFor = ({ body, context }: AcceptedRequest<GammaImageRequest>): number =>
  body.parameters?.seed ?? Buffer.from(context.random(4)).readUInt32BE() >>> 1;

function specsFor(request: AcceptedRequest<GammaImageRequest>, frame: PixelSize): readonly ImageSpec[] {
  const { n = 1, watermark = false } = request.body.parameters ?? {};
  const [text, seed] = [promptOf(request.body), seedFor(request)];
  return Array.from({ length: n }, (_, index) => ({
    ...{ text, seed: seed + index, ...frame, watermark },
    format: 'png',
    background: 'opaque',
  }));
}

/** Contract: “Family gamma (native synchronous request)”. Edits if the content has images, otherwise generates. */
export const gammaImages: Service<GammaImageRequest> = {
  estimate: ({ body }) => usageFor(body),
  async serve(request) {
    const { body, context, incoming, requestId } = request;
    const sources = await Promise.all(imagesOf(body).map(({ source, path }) => sourceBytes(context, source, path)));
    const specs = specsFor(request, await frameFor(request, sources));
    const images = await Promise.all(
      specs.map((spec) => (sources.length === 0 ? renderImage(spec) : editImage({ ...spec, sources }))),
    );
    const choices = images.map((bytes) => {
      const { path } = hostFile(context, { bytes, mediaType: 'image/png', seconds: LINK_SECONDS });
      return { finish_reason: 'stop', message: { role: 'assistant', content: [{ image: incoming.origin + path }] } };
    });
    const [{ width, height } = { width: 0, height: 0 }] = specs;
    const usage = { image_count: images.length, width, height };
    return { body: { output: { choices }, usage, request_id: requestId }, usage: usageFor(body) };
  },
};

import { countTokens, editImage, type ImageSpec, renderImage } from '../../../synthetic/index.ts';
import type { PixelSize } from '../../../wire/index.ts';
import { type GammaImageRequest, tryParseGammaSize } from '../../../wire/index.ts';
import type { Usage } from '../../billing/price.ts';
import { hashText } from '../../inference/content.ts';
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
const imagesOf = (body: GammaImageRequest): readonly string[] =>
  contentOf(body).flatMap(({ image }) => (image === undefined ? [] : [image]));

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

function specFor(body: GammaImageRequest, frame: PixelSize, index: number): ImageSpec {
  const text = promptOf(body);
  const { seed = hashText(text), watermark = false } = body.parameters ?? {};
  return { text, seed: seed + index, ...frame, format: 'png', background: 'opaque', watermark };
}

/** Contract: “Family gamma (native synchronous request)”. Edits if the content has images, otherwise generates. */
export const gammaImages: Service<GammaImageRequest> = {
  estimate: ({ body }) => usageFor(body),
  async serve(request) {
    const { body, context, incoming, requestId } = request;
    const sources = await Promise.all(
      imagesOf(body).map((image, index) => sourceBytes(context, image, `input.messages[0].content image ${index + 1}`)),
    );
    const frame = await frameFor(request, sources);
    const specs = Array.from({ length: body.parameters?.n ?? 1 }, (_, index) => specFor(body, frame, index));
    const images = await Promise.all(
      specs.map((spec) => (sources.length === 0 ? renderImage(spec) : editImage({ ...spec, sources }))),
    );
    const choices = images.map((bytes) => {
      const { path } = hostFile(context, { bytes, mediaType: 'image/png', seconds: LINK_SECONDS });
      return { finish_reason: 'stop', message: { role: 'assistant', content: [{ image: incoming.origin + path }] } };
    });
    const usage = { image_count: images.length, ...frame };
    return { body: { output: { choices }, usage, request_id: requestId }, usage: usageFor(body) };
  },
};

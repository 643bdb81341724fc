import {
  countTokens,
  editImage,
  type ImageEditSpec,
  type ImageSpec,
  renderImage,
  renderPartialEdit,
  renderPartialImage,
} from '../../../synthetic/index.ts';
import type { PixelSize } from '../../../wire/index.ts';
import {
  ALPHA_MODELS,
  type AlphaEditRequest,
  type AlphaImageRequest,
  FLEXIBLE_SIZE,
  isAlphaSize,
  tryParseSize,
} from '../../../wire/index.ts';
import type { Usage } from '../../billing/price.ts';
import { hashText } from '../../inference/content.ts';
import { type AcceptedRequest, type Service, type ServiceResult, serverSentEvent } from '../../inference/request.ts';
import type { StreamEvent } from '../../server/answer.ts';
import { frameOf } from './frame.ts';
import { frameIn, requireDecodable } from './sources.ts';

type Spec = ImageSpec | ImageEditSpec;
type AlphaRequest = AlphaImageRequest | AlphaEditRequest;

const SQUARE: PixelSize = { width: 1024, height: 1024 };
/** The output tokens of a million pixels. The contract specifies none; this is the order of magnitude. */
const TOKENS_PER_MEGAPIXEL = 1000;

const isEdit = (spec: Spec): spec is ImageEditSpec => 'sources' in spec;
const draw = (spec: Spec): Promise<Uint8Array> => (isEdit(spec) ? editImage(spec) : renderImage(spec));
const drawPartial = (spec: Spec, step: number, of: number): Promise<Uint8Array> =>
  isEdit(spec) ? renderPartialEdit(spec, step, of) : renderPartialImage(spec, step, of);

/** The settings in the answer: those of the request, or the values chosen for `auto`. */
const settingsOf = (spec: Spec, body: AlphaRequest) => ({
  background: spec.background,
  output_format: spec.format,
  quality: body.quality === undefined || body.quality === 'auto' ? 'medium' : body.quality,
  size: `${spec.width}x${spec.height}`,
});

function specFor(body: AlphaRequest, frame: PixelSize, index: number): ImageSpec {
  const { prompt, output_format: format = 'png', output_compression: compression, background } = body;
  return {
    text: prompt,
    seed: hashText(prompt) + index,
    ...frame,
    format,
    background: background === 'transparent' ? 'transparent' : 'opaque',
    ...(compression === undefined ? {} : { compression }),
  };
}

function usageFor(body: AlphaRequest, specs: readonly Spec[]): Usage {
  const pixels = specs.reduce((sum, { width, height }) => sum + width * height, 0);
  return {
    promptTokens: countTokens(body.prompt),
    completionTokens: Math.ceil((pixels / 1_000_000) * TOKENS_PER_MEGAPIXEL),
    units: specs.length,
  };
}

const usageBody = ({ promptTokens: input, completionTokens: output }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { text_tokens: input, image_tokens: 0 },
  output_tokens: output,
  total_tokens: input + output,
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

interface ImageJob {
  readonly request: AcceptedRequest<AlphaRequest>;
  readonly specs: readonly Spec[];
  /** The prefix of event names: `image_generation` or `image_edit`. */
  readonly name: string;
}

/** Streams the partial images and then the completed one, for each image in turn. */
function streamImages({ request, specs, name }: ImageJob): ServiceResult {
  const { body, context } = request;
  const partials = body.partial_images ?? 0;
  let begun = 0;
  const usage = (): Usage => usageFor(body, specs.slice(0, begun));
  async function* events(): AsyncGenerator<StreamEvent> {
    const created_at = context.clock.now();
    for (const spec of specs) {
      begun += 1;
      const settings = { created_at, ...settingsOf(spec, body) };
      for (let index = 0; index < partials; index += 1) {
        const type = `${name}.partial_image`;
        const b64_json = base64(await drawPartial(spec, index, partials));
        yield serverSentEvent({ type, b64_json, partial_image_index: index, ...settings }, { name: type });
      }
      const type = `${name}.completed`;
      const b64_json = base64(await draw(spec));
      const completed = { type, b64_json, ...settings, usage: usageBody(usageFor(body, [spec])) };
      yield serverSentEvent(completed, { name: type, final: begun === specs.length });
    }
  }
  return { events: events(), usage };
}

async function serveImages(job: ImageJob): Promise<ServiceResult> {
  const { request, specs } = job;
  const [first] = specs;
  if (request.body.stream === true) return streamImages(job);
  const usage = usageFor(request.body, specs);
  const data = await Promise.all(specs.map(async (spec) => ({ b64_json: base64(await draw(spec)) })));
  const settings = first === undefined ? {} : settingsOf(first, request.body);
  return { body: { created: request.context.clock.now(), data, ...settings, usage: usageBody(usage) }, usage };
}

const specsFor = (body: AlphaRequest, frame: PixelSize): readonly ImageSpec[] =>
  Array.from({ length: body.n ?? 1 }, (_, index) => specFor(body, frame, index));

/** Contract: “Family alpha (list-style image request, JSON)”. */
export const alphaImages: Service<AlphaImageRequest> = {
  estimate: ({ body }) => usageFor(body, specsFor(body, tryParseSize(body.size ?? 'auto') ?? SQUARE)),
  serve: (request) =>
    serveImages({
      request,
      name: 'image_generation',
      specs: specsFor(request.body, tryParseSize(request.body.size ?? 'auto') ?? SQUARE),
    }),
};

const EDIT_PIXELS = 1_048_576;
/** The largest ratio of long to short that rounding to whole steps keeps within the limit. */
const LONGEST_RATIO = FLEXIBLE_SIZE.maxRatio * 0.95;

const ratioOf = ({ width, height }: PixelSize): number => width / height;

/** The size of an edit that specifies none: one of the model's, as close as possible to the source's. */
function autoFrame(source: PixelSize, model: string): PixelSize {
  if (isAlphaSize(`${source.width}x${source.height}`, model)) return source;
  const own = ALPHA_MODELS[model]?.sizes?.flatMap((size) => tryParseSize(size) ?? []) ?? [];
  const distance = (frame: PixelSize): number => Math.abs(Math.log(ratioOf(frame) / ratioOf(source)));
  const [nearest] = [...own].sort((a, b) => distance(a) - distance(b));
  const ratio = Math.min(LONGEST_RATIO, Math.max(1 / LONGEST_RATIO, ratioOf(source)));
  return nearest ?? frameOf(EDIT_PIXELS, ratio);
}

async function editFrame({ body, model }: AcceptedRequest<AlphaEditRequest>): Promise<PixelSize> {
  const asked = tryParseSize(body.size ?? 'auto');
  const [first] = body.image;
  return asked ?? (first === undefined ? SQUARE : autoFrame(await frameIn(first.bytes), model));
}

/** The files of a request, each with its path. */
const filesIn = ({ image, mask }: AlphaEditRequest) => [
  ...image.map(({ bytes }, index) => ({ path: `image[${index}]`, bytes })),
  ...(mask === undefined ? [] : [{ path: 'mask', bytes: mask.bytes }]),
];

/** Contract: “Family alpha (multipart form)”. */
export const alphaEdits: Service<AlphaEditRequest> = {
  estimate: ({ body }) => usageFor(body, specsFor(body, tryParseSize(body.size ?? 'auto') ?? SQUARE)),
  async serve(request) {
    const { body } = request;
    await requireDecodable(filesIn(body));
    const sources = body.image.map(({ bytes }) => bytes);
    const specs = specsFor(body, await editFrame(request)).map(
      (spec): ImageEditSpec => ({ ...spec, sources, ...(body.mask === undefined ? {} : { mask: body.mask.bytes }) }),
    );
    return serveImages({ request, specs, name: 'image_edit' });
  },
};

import { answerText, countTokens, editImage, type ImageSpec, renderImage } from '../../../synthetic/index.ts';
import type { PixelSize } from '../../../wire/index.ts';
import { NATIVE_IMAGE_MODELS, type NativeImageRequest, tryDecodeBase64 } from '../../../wire/index.ts';
import type { Usage } from '../../billing/price.ts';
import { hashText } from '../../inference/content.ts';
import { type AcceptedRequest, RequestError, type Service, serverSentEvent } from '../../inference/request.ts';
import type { StreamEvent } from '../../server/answer.ts';
import { frameOf, tryReadRatio } from './frame.ts';
import { requireDecodable } from './sources.ts';

/** The side of a square image in pixels. */
const SIDES: Readonly<Record<string, number>> = { '1K': 1024, '2K': 2048, '4K': 4096 };
const TOKENS_PER_IMAGE = 1290;

interface NativePart {
  readonly text?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
}

interface PlacedPart extends NativePart {
  readonly path: string;
}

const partsOf = ({ contents }: NativeImageRequest): readonly PlacedPart[] =>
  (contents as readonly { parts: readonly NativePart[] }[]).flatMap(({ parts }, at) =>
    parts.map((part, index) => ({ ...part, path: `contents[${at}].parts[${index}]` })),
  );

const promptOf = (body: NativeImageRequest): string =>
  partsOf(body)
    .map(({ text }) => text ?? '')
    .filter((text) => text !== '')
    .join('\n');

function frameFor(body: NativeImageRequest, model: string): PixelSize {
  const config = body.generationConfig?.imageConfig;
  const isFixed = NATIVE_IMAGE_MODELS[model]?.usesImageSize === false;
  const side = SIDES[(isFixed ? undefined : config?.imageSize) ?? '1K'] ?? 1024;
  return frameOf(side * side, tryReadRatio(config?.aspectRatio) ?? 1);
}

const wantsText = (body: NativeImageRequest): boolean =>
  body.generationConfig?.responseModalities?.includes('TEXT') ?? true;

const usageFor = (body: NativeImageRequest, text: string): Usage => ({
  promptTokens: countTokens(promptOf(body)),
  completionTokens: TOKENS_PER_IMAGE + (text === '' ? 0 : countTokens(text)),
  units: 1,
});

/** The pictures of the request, each with its path. */
const sourcesIn = (body: NativeImageRequest) =>
  partsOf(body).flatMap(({ inlineData, path }) => {
    const bytes = inlineData && tryDecodeBase64(inlineData.data);
    return bytes ? [{ path: `${path}.inlineData.data`, bytes }] : [];
  });

function draw({ body, model }: AcceptedRequest<NativeImageRequest>): Promise<Uint8Array> {
  const prompt = promptOf(body);
  const spec: ImageSpec = {
    text: prompt,
    seed: hashText(prompt),
    ...frameFor(body, model),
    format: 'png',
    background: 'opaque',
  };
  const sources = sourcesIn(body).map(({ bytes }) => bytes);
  return sources.length === 0 ? renderImage(spec) : editImage({ ...spec, sources });
}

async function* eventsOf(request: AcceptedRequest<NativeImageRequest>, text: string): AsyncGenerator<StreamEvent> {
  const { body, model, requestId } = request;
  const chunk = (parts: readonly NativePart[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    modelVersion: model,
    responseId: requestId,
  });
  if (text !== '') yield serverSentEvent(chunk([{ text }]));
  const data = Buffer.from(await draw(request)).toString('base64');
  yield serverSentEvent(chunk([{ inlineData: { mimeType: 'image/png', data } }]));
  const { promptTokens, completionTokens } = usageFor(body, text);
  const counts = { promptTokenCount: promptTokens, candidatesTokenCount: completionTokens };
  const usageMetadata = { ...counts, totalTokenCount: promptTokens + completionTokens };
  yield serverSentEvent({ ...chunk([], { finishReason: 'STOP' }), usageMetadata }, { final: true });
}

/** Contract: “Native streaming image generation”. */
export const nativeImages: Service<NativeImageRequest> = {
  estimate: ({ body }) => usageFor(body, ''),
  async serve(request) {
    const { body, incoming } = request;
    if (incoming.query('alt') !== 'sse') throw new RequestError('alt: must be sse');
    await requireDecodable(sourcesIn(body));
    const prompt = promptOf(body);
    const text = wantsText(body) ? answerText({ prompt, seed: hashText(prompt) }) : '';
    return { events: eventsOf(request, text), usage: () => usageFor(body, text) };
  },
};

import { Fault } from '../../domain/index.ts';
import type { Inference } from '../../gateway/index.ts';
import type { Upload } from '../../wire/index.ts';
import type { CheckRequest } from '../check-module.ts';

/** An image that is edited: its bytes, or a text that holds or names them. */
type Source = Upload | string;

interface BetaItem {
  readonly url?: string;
}
interface GammaItem {
  readonly image?: string;
}
type Fields = { readonly [field: string]: unknown };

function betaSources({ image, images }: Fields): readonly Source[] {
  const items = (Array.isArray(images) ? images : [image]) as readonly (BetaItem | undefined)[];
  return items.map((item) => item?.url ?? '');
}

function gammaSources({ input }: Fields): readonly Source[] {
  const { messages } = input as { readonly messages: readonly { readonly content: readonly GammaItem[] }[] };
  return messages.flatMap(({ content }) => content.flatMap(({ image }) => (image === undefined ? [] : [image])));
}

const SOURCES: { readonly [family: string]: (body: Fields) => readonly Source[] } = {
  'alpha-edit': ({ image }) => image as readonly Upload[],
  'beta-edit': betaSources,
  'gamma-image': gammaSources,
};

/** What is named by an id, or can not be fetched from here, is not at hand: that says nothing of the key. */
async function bytesOf(source: Source, from: { inference: Inference; signal: AbortSignal }) {
  if (typeof source !== 'string') return source.bytes;
  if (!/^(data|https?):/i.test(source)) return undefined;
  try {
    return (await from.inference.readUrl(source, { signal: from.signal })).value;
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined;
    throw thrown;
  }
}

/** The images that a request edits, in its order; undefined where the bytes are not at hand. */
export function editSources(
  { family, body }: CheckRequest,
  from: { inference: Inference; signal: AbortSignal },
): Promise<readonly (Uint8Array | undefined)[]> {
  const sources = (SOURCES[family] as (body: Fields) => readonly Source[])(body);
  return Promise.all(sources.map((source) => bytesOf(source, from)));
}

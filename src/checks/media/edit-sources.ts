import { Fault } from '../../domain/index.ts';
import type { Inference } from '../../gateway/index.ts';
import type { RequestBodies, Upload } from '../../wire/index.ts';
import type { CheckRequest } from '../check-request.ts';

export type EditFamily = 'alpha-edit' | 'beta-edit' | 'gamma-image';

/** A source image: its bytes, or a text that contains or names them. */
type EditSource = Upload | string;

const SOURCES: { readonly [F in EditFamily]: (body: RequestBodies[F]) => readonly EditSource[] } = {
  'alpha-edit': ({ image }) => image,
  'beta-edit': ({ image, images }) => (images ?? [image]).map((item) => item?.url ?? ''),
  'gamma-image': ({ input }) =>
    input.messages.flatMap(({ content }) => content.flatMap(({ image }) => (image === undefined ? [] : [image]))),
};

const sourcesOf = <F extends EditFamily>({ family, body }: CheckRequest<F>): readonly EditSource[] =>
  SOURCES[family](body);

/** Reads a source; undefined if it is named by an id or cannot be downloaded from here, which proves nothing. */
async function bytesOf(source: EditSource, from: { inference: Inference; signal: AbortSignal }) {
  if (typeof source !== 'string') return source.bytes;
  if (!/^(data|https?):/i.test(source)) return undefined;
  try {
    return (await from.inference.readUrl(source, { signal: from.signal })).value;
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined;
    throw thrown;
  }
}

/** The images that a request edits, in its order; undefined where the bytes are not available. */
export const editSources = (
  request: CheckRequest<EditFamily>,
  from: { inference: Inference; signal: AbortSignal },
): Promise<readonly (Uint8Array | undefined)[]> =>
  Promise.all(sourcesOf(request).map((source) => bytesOf(source, from)));

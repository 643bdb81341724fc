import type { FamilyId } from '../../wire/index.ts';
import { alphaEdits, alphaImages } from '../media/images/alpha.ts';
import { betaEdits, betaImages } from '../media/images/beta.ts';
import { gammaImages } from '../media/images/gamma.ts';
import { nativeImages } from '../media/images/native.ts';
import { submitVideo } from '../media/video/submit.ts';
import { chat } from './chat.ts';
import { batchEmbedContents, embedContent, embeddings } from './embeddings.ts';
import type { AcceptedRequest, Service } from './request.ts';
import { responses } from './responses.ts';
import { tryFindUpstream } from './upstream.ts';

// biome-ignore lint/suspicious/noExplicitAny: each is called only with the body that its family's schema has accepted.
type AnyService = Service<any>;

/** The services of all families. Token counting costs nothing and is served separately. */
const SERVICES: { readonly [F in Exclude<FamilyId, 'token-counting'>]: AnyService } = {
  chat,
  responses,
  embeddings,
  'native-embedding': embedContent,
  'native-embedding-batch': batchEmbedContents,
  'native-image': nativeImages,
  'alpha-image': alphaImages,
  'beta-image': betaImages,
  'gamma-image': gammaImages,
  'alpha-edit': alphaEdits,
  'beta-edit': betaEdits,
  'epsilon-video': submitVideo,
  'delta-video': submitVideo,
  'asset-video': submitVideo,
  'flat-video': submitVideo,
  'nested-video': submitVideo,
  'download-video': submitVideo,
  'dedicated-video': submitVideo,
};

/** The service of a request: the upstream of its model if there is one, otherwise the synthetic model. */
export function serviceFor(request: AcceptedRequest<unknown>): Service<unknown> {
  const own = SERVICES[request.family.id as keyof typeof SERVICES];
  return tryFindUpstream(request, own) ?? own;
}

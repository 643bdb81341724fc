import { ALPHA_EDIT } from './families/image/alpha-edit.ts';
import { ALPHA_IMAGE } from './families/image/alpha-image.ts';
import { BETA_EDIT } from './families/image/beta-edit.ts';
import { BETA_IMAGE } from './families/image/beta-image.ts';
import { GAMMA_IMAGE } from './families/image/gamma-image.ts';
import { NATIVE_IMAGE } from './families/image/native-image.ts';
import { CHAT } from './families/text/chat.ts';
import { EMBEDDINGS } from './families/text/embeddings.ts';
import { NATIVE_EMBEDDING, NATIVE_EMBEDDING_BATCH } from './families/text/native-embeddings.ts';
import { RESPONSES } from './families/text/responses.ts';
import { TOKEN_COUNTING } from './families/text/token-counting.ts';
import { DELTA_VIDEO } from './families/video/delta-video.ts';
import { DOWNLOAD_VIDEO } from './families/video/download-video.ts';
import { EPSILON_VIDEO } from './families/video/epsilon-video.ts';
import { ASSET_VIDEO, DEDICATED_VIDEO, FLAT_VIDEO, NESTED_VIDEO } from './families/video/passed-video.ts';
import type { AnyFamily, Family, FamilyId, ModelNames } from './family.ts';
import type { InferenceEndpointName } from './inference-paths.ts';

/** Every kind of request of the inference and media API, by its id, in the order of the contract. */
const FAMILY_BY_ID = {
  chat: CHAT,
  responses: RESPONSES,
  embeddings: EMBEDDINGS,
  'native-embedding': NATIVE_EMBEDDING,
  'native-embedding-batch': NATIVE_EMBEDDING_BATCH,
  'token-counting': TOKEN_COUNTING,
  'native-image': NATIVE_IMAGE,
  'alpha-image': ALPHA_IMAGE,
  'beta-image': BETA_IMAGE,
  'gamma-image': GAMMA_IMAGE,
  'alpha-edit': ALPHA_EDIT,
  'beta-edit': BETA_EDIT,
  'epsilon-video': EPSILON_VIDEO,
  'delta-video': DELTA_VIDEO,
  'asset-video': ASSET_VIDEO,
  'flat-video': FLAT_VIDEO,
  'nested-video': NESTED_VIDEO,
  'download-video': DOWNLOAD_VIDEO,
  'dedicated-video': DEDICATED_VIDEO,
} as const satisfies { readonly [F in FamilyId]: AnyFamily };

export const FAMILIES: readonly AnyFamily[] = Object.values(FAMILY_BY_ID);

/** The type of the body that each family takes. */
export type RequestBodies = {
  readonly [F in FamilyId]: (typeof FAMILY_BY_ID)[F] extends Family<infer Body> ? Body : never;
};

export const findFamily = (id: FamilyId): AnyFamily => FAMILY_BY_ID[id];

/** Checks that a body has the shape of its family; further limits of the contract are the matter of `requestDiagnostics`. */
export const isBodyOf = <F extends FamilyId>(family: F, body: unknown): body is RequestBodies[F] =>
  findFamily(family).body.safeParse(body).success;

const isOf = ({ known, prefix }: ModelNames, model: string): boolean =>
  known.includes(model) || (prefix !== undefined && model.startsWith(prefix));

/** Aliases of model IDs. A request with an alias is judged by the family of the ID, instead of by none. */
const isMisspelt = ({ known }: ModelNames, model: string): boolean =>
  known.some((name) => name.toLowerCase() === model.toLowerCase());

/** Families whose models are the same. */
const SIBLINGS: readonly (readonly FamilyId[])[] = [
  ['chat', 'responses', 'token-counting'],
  ['native-embedding', 'native-embedding-batch'],
  ['alpha-image', 'alpha-edit'],
  ['beta-image', 'beta-edit'],
];

/**
 * The family of a request to this endpoint whose model is known to be of another family, possibly the same one; undefined
 * if such models take no requests there.
 */
export function tryFindSibling(endpoint: InferenceEndpointName, id: FamilyId): AnyFamily | undefined {
  const siblings = SIBLINGS.find((ids) => ids.includes(id)) ?? [id];
  return siblings.map(findFamily).find((family) => family.endpoint === endpoint);
}

/** Checks that a model may be of this endpoint: a name that families claim is of theirs alone, any other of every one. */
export function mayTake(endpoint: InferenceEndpointName, model: string): boolean {
  const claiming = FAMILIES.filter(({ models }) => models !== undefined && isOf(models, model));
  return claiming.length === 0 || claiming.some((family) => family.endpoint === endpoint);
}

/**
 * The family of a request to this endpoint, by its model, also when it is written in other letters (`delta-h3`); undefined
 * where several families share the endpoint and none claims the model.
 */
export function tryFindFamily(endpoint: InferenceEndpointName, model: string): AnyFamily | undefined {
  const candidates = FAMILIES.filter((family) => family.endpoint === endpoint);
  const [only, ...others] = candidates;
  if (others.length === 0) return only;
  const claiming = (claims: typeof isOf) =>
    candidates.find(({ models }) => models !== undefined && claims(models, model));
  return claiming(isOf) ?? claiming(isMisspelt);
}

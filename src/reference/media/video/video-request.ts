import { DELTA_FIELDS, EPSILON_FIELDS, type FamilyId } from '../../../wire/index.ts';
import { type JsonObject, propertiesOf, tryReadText } from '../../json-object.ts';

/** An item of `metadata.content`. */
interface ContentItem {
  readonly type?: string;
  readonly text?: string;
  readonly role?: string;
  readonly image_url?: { readonly url?: string };
}

/** A request for a video, in the terms that its family's fields map to. */
export interface ParsedVideoRequest {
  readonly family: FamilyId;
  readonly text: string;
  readonly resolution: string | undefined;
  /** `16:9`; undefined or `adaptive` for none in particular. */
  readonly ratio: string | undefined;
  /** `1280x720`. */
  readonly size: string | undefined;
  /** Undefined or -1 if the model decides. */
  readonly seconds: number | undefined;
  readonly audio: boolean;
  readonly watermark: boolean;
  readonly returnsLastFrame: boolean;
  readonly searches: boolean;
  readonly callbackUrl: string | undefined;
  readonly priority: number;
  readonly expiresAfter: number | undefined;
  /** The URLs of images by their roles. */
  readonly firstFrame: string | undefined;
  readonly lastFrame: string | undefined;
  readonly images: readonly string[];
}

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

const itemsIn = (content: unknown): readonly ContentItem[] =>
  Array.isArray(content) ? content.map((item) => propertiesOf(item)) : [];

function imagesIn(items: readonly ContentItem[]): Pick<ParsedVideoRequest, 'firstFrame' | 'lastFrame' | 'images'> {
  const images = items.flatMap(({ role, image_url: image }) => (image?.url ? [{ role, url: image.url }] : []));
  const inRole = (role: string): string | undefined => images.find((image) => image.role === role)?.url;
  // Contract, family delta: a single image without role is the first frame.
  const [sole] = items.filter(({ type }) => type !== 'text').length === 1 ? images : [];
  return {
    firstFrame: inRole('first_frame') ?? (sole?.role === undefined ? sole?.url : undefined),
    lastFrame: inRole('last_frame'),
    images: images.map(({ url }) => url),
  };
}

/** The families whose fields the contract lists. Other fields have no effect. */
const FIELDS: { readonly [F in FamilyId]?: readonly string[] } = {
  'epsilon-video': EPSILON_FIELDS,
  'delta-video': DELTA_FIELDS,
};

/** The `metadata` of a request, without the fields that its family does not have. */
function metadataOf(family: FamilyId, body: JsonObject): JsonObject {
  const fields = FIELDS[family];
  const entries = Object.entries(propertiesOf(body.metadata));
  return Object.fromEntries(entries.filter(([field]) => fields?.includes(field) ?? true));
}

/** The places of fields: `metadata`; in families that the contract does not detail, the root or nested in it too. */
const objectsToSearch = (family: FamilyId, body: JsonObject, metadata: JsonObject): readonly JsonObject[] =>
  family in FIELDS
    ? [metadata]
    : [body, metadata, propertiesOf(metadata.parameters), propertiesOf(metadata.input), propertiesOf(body.input)];

/** Reads a body that its family's schema has accepted. Contract: “Request structure per video family”. */
export function parseVideoRequest(family: FamilyId, given: unknown): ParsedVideoRequest {
  const body = propertiesOf(given);
  const metadata = metadataOf(family, body);
  const places = objectsToSearch(family, body, metadata);
  const first = <T>(read: (value: unknown) => T | undefined, ...names: readonly string[]): T | undefined =>
    places.flatMap((place) => names.map((name) => read(place[name]))).find((value) => value !== undefined);
  const items = itemsIn(metadata.content);
  const contentText = items.find(({ type, text }) => type === 'text' && tryReadText(text) !== undefined)?.text;
  const isEpsilon = family === 'epsilon-video';
  return {
    family,
    text: tryReadText(body.prompt) ?? first(tryReadText, 'prompt') ?? contentText ?? '',
    resolution: first(tryReadText, 'resolution'),
    ratio: first(tryReadText, 'ratio', 'aspectRatio', 'aspect_ratio'),
    size: first(tryReadText, 'size'),
    seconds: first(numberIn, 'duration', 'durationSeconds', 'seconds'),
    audio:
      first((value) => (typeof value === 'boolean' ? value : undefined), 'generate_audio', 'generateAudio') ?? true,
    watermark: first((value) => (typeof value === 'boolean' ? value : undefined), 'watermark') ?? false,
    returnsLastFrame: metadata.return_last_frame === true,
    searches: Array.isArray(metadata.tools) && metadata.tools.some((tool) => propertiesOf(tool).type === 'web_search'),
    callbackUrl: tryReadText(metadata.callback_url),
    priority: isEpsilon ? (numberIn(metadata.priority) ?? 0) : 0,
    expiresAfter: isEpsilon ? (numberIn(metadata.execution_expires_after) ?? EXPIRES_AFTER) : undefined,
    ...imagesIn(items),
  };
}

/** Contract, family epsilon: the default of `metadata.execution_expires_after`. */
const EXPIRES_AFTER = 172_800;

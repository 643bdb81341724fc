import * as z from 'zod';
import { tryParseDataUri } from '../../data-uri.ts';
import type { Family, Rule } from '../../family.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';
import { CallbackUrl } from '../source-uri.ts';
import { videoContent, videoItems } from './video-content.ts';
import { CONTENT_RULES, EPSILON_FIELDS, onlyInMetadata, PROMPT_RULE } from './video-rules.ts';

const RESOLUTIONS = ['480p', '720p', '1080p', '4k'] as const;
const SMALL = ['480p', '720p'] as const;

/** Contract: “epsilon family” and “Limits”. */
export const EPSILON_MODELS: Readonly<Record<string, { readonly resolutions: readonly string[] }>> = {
  'epsilon-video-2-0-260128': { resolutions: RESOLUTIONS },
  'epsilon-video-2-0-fast-260128': { resolutions: SMALL },
  'epsilon-video-2-0-mini-260615': { resolutions: SMALL },
};

const isSourceOf = (kind: string, text: string): boolean =>
  /^data:/i.test(text)
    ? tryParseDataUri(text)?.mediaType.toLowerCase().startsWith(`${kind}/`) === true
    : /^[a-z][\w+.-]*:\/\/\S/i.test(text);

/** The contract does not show how this family's files are named: any URL passes, and any data URI of such a file. */
const fileOf = (kind: string) =>
  z
    .string()
    .refine((text) => isSourceOf(kind, text), { message: `must be a URL, or a Base64 data URI of ${kind}/…` })
    .describe(`URL, or Base64 data URI of \`${kind}/…\``);

const Content = videoContent({
  text: z.string().min(1),
  image: fileOf('image'),
  video: fileOf('video'),
  audio: fileOf('audio'),
});

const Metadata = z.looseObject({
  content: Content.describe('a text where there is no file'),
  resolution: z.enum(RESOLUTIONS).default('720p'),
  ratio: z.enum(['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive']).default('adaptive'),
  duration: z
    .union([z.int().min(4).max(15), z.literal(-1)])
    .optional()
    .describe('seconds; -1: automatic'),
  generate_audio: z.boolean().default(true).describe('mono, in step with the video; false: silent'),
  watermark: z.boolean().default(false).describe('lower right'),
  return_last_frame: z.boolean().default(false).describe('PNG without watermark, of the same pixels'),
  callback_url: CallbackUrl.optional(),
  execution_expires_after: z.int().min(3600).max(259_200).default(172_800).describe('seconds from creation'),
  priority: z.int().min(0).max(9).default(0).describe('higher goes first'),
  /** The contract names the value `flex` and not its field; upstreams call it so. */
  service_tier: z.string().optional().describe('for example `flex`'),
  safety_identifier: z
    .string()
    .max(64)
    .refine((text) => /^[ -~]*$/.test(text), { message: 'must be of English characters' })
    .optional()
    .describe('English characters; stable unique end-user identifier: use a hash'),
  tools: z.array(z.looseObject({ type: z.enum(['web_search']) })).optional(),
});

/** Contract: “epsilon family”. */
export const EpsilonVideoRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().describe('consistent with the text in `metadata.content`'),
  asset: z.boolean().optional().describe('whether media are processed: required with media'),
  metadata: Metadata,
});
export type EpsilonVideoRequest = z.input<typeof EpsilonVideoRequest>;

function foreignResolution({ metadata: { resolution } }: EpsilonVideoRequest, model: string): string | undefined {
  const allowed = EPSILON_MODELS[model]?.resolutions;
  if (resolution === undefined || allowed === undefined || allowed.includes(resolution)) return undefined;
  return `must be ${allowed.join(' or ')} for ${model}`;
}

function lonelyAudio(body: EpsilonVideoRequest): string | undefined {
  const kinds = new Set(videoItems(body).map(({ kind }) => kind));
  return kinds.size === 1 && kinds.has('audio') ? 'has audio without an image or a video' : undefined;
}

const VERSIONS = /-2-[05](-|$)/;

const onlyInVersions = (field: 'priority' | 'tools'): Rule<EpsilonVideoRequest> => ({
  field: `metadata.${field}`,
  limit: 'only for the 2.5 and 2.0 versions',
  check: ({ metadata }, model) =>
    metadata[field] !== undefined && !VERSIONS.test(model) ? `must not be sent for ${model}` : undefined,
});

const priorityInFlex = ({ metadata }: EpsilonVideoRequest): readonly BrokenLimit[] | undefined =>
  metadata.priority !== undefined && metadata.service_tier === 'flex'
    ? [{ path: 'metadata.priority', message: 'must not be sent with the service tier flex' }]
    : undefined;

function wrongSwitch(body: EpsilonVideoRequest): string | undefined {
  const hasMedia = videoItems(body).length > 0;
  if (hasMedia) return body.asset === true ? undefined : 'must be true for a request with media';
  return body.asset === true ? 'must be false for a request of text only' : undefined;
}

const RULES: readonly Rule<EpsilonVideoRequest>[] = [
  {
    field: 'asset',
    limit: 'false for requests of text only, true for those with media',
    check: wrongSwitch,
  },
  PROMPT_RULE,
  onlyInMetadata(EPSILON_FIELDS),
  {
    field: 'metadata.resolution',
    limit: Object.entries(EPSILON_MODELS)
      .map(([model, { resolutions }]) => `\`${model}\`: ${resolutions.map((name) => `\`${name}\``).join(', ')}`)
      .join('; '),
    check: foreignResolution,
  },
  { field: 'metadata.content', limit: 'audio only with an image or a video', check: lonelyAudio },
  { field: 'metadata.priority', limit: 'not with `service_tier` `flex`', check: priorityInFlex },
  onlyInVersions('priority'),
  onlyInVersions('tools'),
];

export const EPSILON_VIDEO: Family<EpsilonVideoRequest> = {
  id: 'epsilon-video',
  title: 'Video, family epsilon',
  endpoint: 'submitVideo',
  form: 'json',
  models: { known: Object.keys(EPSILON_MODELS), prefix: 'epsilon-video-' },
  body: EpsilonVideoRequest,
  rules: [...RULES, ...CONTENT_RULES],
  media: [],
};

import * as z from 'zod';
import { mustNotBeSent, type Rule } from '../../family.ts';
import { BETA_MODELS, BETA_RATIOS } from './beta-models.ts';

const Lifetime = z.int().min(3600).max(2_592_000).optional();

const StorageOptions = z
  .looseObject({
    filename: z.string().min(1).describe('its extension does not change the content type'),
    expires_after: Lifetime.describe('seconds; absent: no automatic expiry'),
    public_url: z
      .union([z.boolean(), z.looseObject({ expires_after: Lifetime.describe('seconds') })])
      .optional()
      .describe('true requests a public URL, an object also sets its lifetime'),
  })
  .optional()
  .describe('needs permissions in the upstream account');

/** The fields that generation and editing of family beta have in common. What `auto` comes to differs: see each. */
export const BETA_FIELDS = {
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: z.int().min(1).max(10).default(1),
  aspect_ratio: z.enum(BETA_RATIOS).optional(),
  resolution: z.enum(['1k', '2k']).default('1k'),
  quality: z.enum(['low', 'medium', 'auto']).default('auto').describe('`auto`: low for generation, medium for editing'),
  response_format: z.enum(['url', 'b64_json']).default('url'),
  user: z.string().optional().describe('stable end-user identifier, no raw personal data'),
  storage_options: StorageOptions,
};

interface BetaBody {
  readonly aspect_ratio?: string | undefined;
  readonly storage_options?: z.input<typeof StorageOptions>;
}

const knownModels = (has: (limits: (typeof BETA_MODELS)[string]) => boolean): string =>
  Object.entries(BETA_MODELS)
    .filter(([, limits]) => has(limits))
    .map(([model]) => `\`${model}\``)
    .join(', ');

function foreignRatio(ratio: string | undefined, model: string): string | undefined {
  const allowed = BETA_MODELS[model]?.aspectRatios;
  if (ratio === undefined || allowed === undefined || allowed.includes(ratio)) return undefined;
  return `must be one of ${allowed.join(', ')} for ${model}`;
}

function outlives({ storage_options: storage }: BetaBody): string | undefined {
  const link = typeof storage?.public_url === 'object' ? storage.public_url.expires_after : undefined;
  const file = storage?.expires_after;
  if (link === undefined || file === undefined || link <= file) return undefined;
  return `must not be beyond the file's own expiry, ${file} seconds`;
}

/** The limits that generation and editing of family beta have in common. */
export const BETA_RULES: readonly Rule<BetaBody>[] = [
  {
    field: 'aspect_ratio',
    limit: `\`21:9\`, \`5:2\` only on ${knownModels(({ aspectRatios }) => aspectRatios === BETA_RATIOS)}`,
    check: ({ aspect_ratio: ratio }, model) => foreignRatio(ratio, model),
  },
  mustNotBeSent(
    'quality',
    `only on ${knownModels(({ quality }) => quality)}; must not be sent for ${knownModels(({ quality }) => !quality)}`,
    (model) => BETA_MODELS[model]?.quality === false,
  ),
  {
    field: 'storage_options.public_url.expires_after',
    limit: 'at most `storage_options.expires_after`, where that is sent',
    check: outlives,
  },
];

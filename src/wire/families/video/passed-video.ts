/**
 * Families of video of which the contract shows the structure and not the fields. Their bodies pass as they are;
 * what is wrong in their structure is refused.
 */
import * as z from 'zod';
import type { Family, Rule } from '../../family.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';
import { EPSILON_FIELDS, onlyInMetadata } from './video-rules.ts';

const model = z.string().min(1);
const prompt = z.string();

/** Every field of the provider must be in `metadata`. */
export const AssetVideoRequest = z.looseObject({
  model,
  prompt,
  asset: z.boolean().optional().describe('whether media are processed'),
  metadata: z.looseObject({}).optional(),
});
export type AssetVideoRequest = z.input<typeof AssetVideoRequest>;

export const ASSET_VIDEO: Family<AssetVideoRequest> = {
  id: 'asset-video',
  title: 'Video, other asset-style families',
  endpoint: 'submitVideo',
  form: 'json',
  body: AssetVideoRequest,
  rules: [onlyInMetadata(EPSILON_FIELDS)],
  media: [],
};

export const FlatVideoRequest = z.looseObject({
  model,
  prompt,
  metadata: z
    .looseObject({
      durationSeconds: z.union([z.number(), z.string()]).optional(),
      aspectRatio: z.string().optional(),
    })
    .optional(),
});
export type FlatVideoRequest = z.input<typeof FlatVideoRequest>;

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const nestedFields = ({ metadata = {} }: FlatVideoRequest): readonly BrokenLimit[] =>
  Object.entries(metadata).flatMap(([field, value]) =>
    isNested(value) ? [{ path: `metadata.${field}`, message: 'must not be an object: this metadata is flat' }] : [],
  );

export const FLAT_VIDEO: Family<FlatVideoRequest> = {
  id: 'flat-video',
  title: 'Video, flat-metadata family',
  endpoint: 'submitVideo',
  form: 'json',
  body: FlatVideoRequest,
  rules: [
    { field: 'metadata', limit: 'flat: no field is an object', check: nestedFields },
    onlyInMetadata(['durationSeconds', 'aspectRatio']),
  ],
  media: [],
};

export const NestedVideoRequest = z.looseObject({
  model,
  metadata: z.looseObject({ input: z.looseObject({}), parameters: z.looseObject({}).optional() }),
});
export type NestedVideoRequest = z.input<typeof NestedVideoRequest>;

export const NESTED_VIDEO: Family<NestedVideoRequest> = {
  id: 'nested-video',
  title: 'Video, native-nested family',
  endpoint: 'submitVideo',
  form: 'json',
  body: NestedVideoRequest,
  rules: [onlyInMetadata(['input', 'parameters'])],
  media: [],
};

export const DedicatedVideoRequest = z.looseObject({ model });
export type DedicatedVideoRequest = z.input<typeof DedicatedVideoRequest>;

const notReused = (field: 'durationSeconds' | 'aspectRatio'): Rule<DedicatedVideoRequest> => ({
  field: `metadata.${field}`,
  limit: 'must not be sent: it is of the flat-metadata family',
  check: ({ metadata }) =>
    isNested(metadata) && (metadata as Record<string, unknown>)[field] !== undefined
      ? 'must not be sent: it is of the flat-metadata family'
      : undefined,
});

export const DEDICATED_VIDEO: Family<DedicatedVideoRequest> = {
  id: 'dedicated-video',
  title: 'Video, dedicated family',
  endpoint: 'submitVideo',
  form: 'json',
  body: DedicatedVideoRequest,
  rules: [notReused('durationSeconds'), notReused('aspectRatio')],
  media: [],
};

import { z } from 'zod';
import type { Family } from '../family.ts';

export const AssetVideoRequest = z.looseObject({ model: z.string().min(1) });
export type AssetVideoRequest = z.input<typeof AssetVideoRequest>;

export const ASSET_VIDEO: Family<AssetVideoRequest> = {
  id: 'asset-video',
  title: 'Video, other asset-style families',
  endpoint: 'submitVideo',
  form: 'json',
  body: AssetVideoRequest,
  rules: [],
  media: [],
};

export const FlatVideoRequest = z.looseObject({ model: z.string().min(1) });
export type FlatVideoRequest = z.input<typeof FlatVideoRequest>;

export const FLAT_VIDEO: Family<FlatVideoRequest> = {
  id: 'flat-video',
  title: 'Video, flat-metadata family',
  endpoint: 'submitVideo',
  form: 'json',
  body: FlatVideoRequest,
  rules: [],
  media: [],
};

export const NestedVideoRequest = z.looseObject({ model: z.string().min(1) });
export type NestedVideoRequest = z.input<typeof NestedVideoRequest>;

export const NESTED_VIDEO: Family<NestedVideoRequest> = {
  id: 'nested-video',
  title: 'Video, native-nested family',
  endpoint: 'submitVideo',
  form: 'json',
  body: NestedVideoRequest,
  rules: [],
  media: [],
};

export const DedicatedVideoRequest = z.looseObject({ model: z.string().min(1) });
export type DedicatedVideoRequest = z.input<typeof DedicatedVideoRequest>;

export const DEDICATED_VIDEO: Family<DedicatedVideoRequest> = {
  id: 'dedicated-video',
  title: 'Video, dedicated family',
  endpoint: 'submitVideo',
  form: 'json',
  body: DedicatedVideoRequest,
  rules: [],
  media: [],
};

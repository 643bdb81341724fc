import { z } from 'zod';
import type { Family } from '../family.ts';

export const DeltaVideoRequest = z.looseObject({ model: z.string().min(1) });
export type DeltaVideoRequest = z.input<typeof DeltaVideoRequest>;

export const DELTA_VIDEO: Family<DeltaVideoRequest> = {
  id: 'delta-video',
  title: 'Video, family delta',
  endpoint: 'submitVideo',
  form: 'json',
  body: DeltaVideoRequest,
  rules: [],
  media: [],
};

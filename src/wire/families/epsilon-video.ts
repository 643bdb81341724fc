import { z } from 'zod';
import type { Family } from '../family.ts';

export const EpsilonVideoRequest = z.looseObject({ model: z.string().min(1) });
export type EpsilonVideoRequest = z.input<typeof EpsilonVideoRequest>;

export const EPSILON_VIDEO: Family<EpsilonVideoRequest> = {
  id: 'epsilon-video',
  title: 'Video, family epsilon',
  endpoint: 'submitVideo',
  form: 'json',
  body: EpsilonVideoRequest,
  rules: [],
  media: [],
};

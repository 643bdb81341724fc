import { z } from 'zod';
import type { Family } from '../family.ts';

export const NativeImageRequest = z.looseObject({});
export type NativeImageRequest = z.input<typeof NativeImageRequest>;

export const NATIVE_IMAGE: Family<NativeImageRequest> = {
  id: 'native-image',
  title: 'Native streaming image generation',
  endpoint: 'streamGenerateContent',
  form: 'json',
  body: NativeImageRequest,
  rules: [],
  media: [],
};

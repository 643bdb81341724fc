import * as z from 'zod';
import type { Family } from '../../family.ts';
import { tryParseSize } from '../image/pixel-size.ts';

/** Contract: “Request structure per video family”. The bounds of length and size are not shown. */
export const DownloadVideoRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  seconds: z
    .string()
    .refine((seconds) => /^[1-9]\d*$/.test(seconds), { message: 'must be whole seconds, in a string' })
    .describe('whole seconds, in a string'),
  size: z
    .string()
    .refine((size) => tryParseSize(size) !== undefined, { message: 'must be `<width>x<height>`' })
    .describe('`<width>x<height>`'),
});
export type DownloadVideoRequest = z.input<typeof DownloadVideoRequest>;

export const DOWNLOAD_VIDEO: Family<DownloadVideoRequest> = {
  id: 'download-video',
  title: 'Video, download-required family',
  endpoint: 'submitVideo',
  form: 'json',
  body: DownloadVideoRequest,
  rules: [],
  media: [],
};

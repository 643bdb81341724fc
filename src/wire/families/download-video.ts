import { z } from 'zod';
import type { Family } from '../family.ts';

export const DownloadVideoRequest = z.looseObject({ model: z.string().min(1) });
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

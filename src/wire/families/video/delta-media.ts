import { MEGABYTE, type MediaLimits, type MediaSlot } from '../../media-limits.ts';
import { type ContentBody, videoItems } from './video-content.ts';

const FRAME = { minEdge: 256, maxEdge: 5760, minRatio: 0.4, maxRatio: 2.5 } as const;
const LENGTH = { minSeconds: 2, maxSeconds: 15, maxTotalSeconds: 15 } as const;

/** Contract: “Limits”, delta images, reference video, reference audio. JPG is JPEG. */
const LIMITS: readonly MediaLimits[] = [
  { kind: 'image', formats: ['jpeg', 'png', 'webp', 'heic', 'heif'], maxBytes: 30 * MEGABYTE, ...FRAME },
  {
    kind: 'video',
    formats: ['mp4', 'mov'],
    videoCodecs: ['h264', 'h265'],
    audioCodecs: ['aac', 'mp3'],
    maxBytes: 50 * MEGABYTE,
    ...LENGTH,
    ...FRAME,
    minFps: 23.976,
    maxFps: 60,
  },
  { kind: 'audio', formats: ['wav', 'mp3'], maxBytes: 15 * MEGABYTE, ...LENGTH },
];

export const DELTA_MEDIA: readonly MediaSlot<ContentBody>[] = LIMITS.map((limits) => ({
  field: `metadata.content[].${limits.kind}_url.url`,
  limits,
  items: (body) => videoItems(body).filter(({ kind }) => kind === limits.kind),
}));

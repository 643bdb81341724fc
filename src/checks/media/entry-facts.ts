import type { AssertionName } from '../../domain/index.ts';

/** What can be expected of whatever has a frame, and costs. */
export const FRAME_ASSERTIONS: readonly AssertionName[] = [
  'format',
  'width',
  'height',
  'minWidth',
  'minHeight',
  'maxLatencyMs',
  'maxFirstByteMs',
  'maxCost',
];

/** What all modules have in common that ask for images. */
export const IMAGE_DEFAULTS = {
  schedule: 'costly',
  pays: true,
  isAsynchronous: false,
  wantsUsableKey: true,
  timeoutMs: 300_000,
  expects: ['count', ...FRAME_ASSERTIONS],
} as const;

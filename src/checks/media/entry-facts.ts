import type { AssertionName } from '../../domain/index.ts';

/** What can be expected of whatever has a frame, and costs. */
export const FRAME_EXPECTATIONS: readonly AssertionName[] = [
  'format',
  'width',
  'height',
  'minWidth',
  'minHeight',
  'maxLatencyMs',
  'maxFirstByteMs',
  'maxCost',
];

/** What all modules have in common that ask for pictures. */
export const OF_PICTURES = {
  schedule: 'costly',
  pays: true,
  isAsynchronous: false,
  wantsUsableKey: true,
  timeoutMs: 300_000,
  expects: ['count', ...FRAME_EXPECTATIONS],
} as const;

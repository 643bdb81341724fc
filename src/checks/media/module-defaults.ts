import type { AssertionName } from '../../domain/index.ts';

/** The assertions of modules whose answers have frames and cost money. */
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

/** The properties that all modules for images share. */
export const IMAGE_DEFAULTS = {
  schedule: 'costly',
  pays: true,
  isAsynchronous: false,
  needsUsableKey: true,
  decodesImages: () => true,
  timeoutMs: 300_000,
  assertions: ['count', ...FRAME_ASSERTIONS],
} as const;

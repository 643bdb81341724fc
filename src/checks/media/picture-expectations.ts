import type { Expectations } from '../../domain/index.ts';

/** What can be expected of pictures, whichever module asks for them. */
export const PICTURE_EXPECTATIONS: readonly (keyof Expectations)[] = [
  'count',
  'format',
  'width',
  'height',
  'minWidth',
  'minHeight',
  'maxLatencyMs',
  'maxFirstByteMs',
  'maxCost',
];

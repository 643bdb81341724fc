import { type Rotation, renderInterval } from '../../domain/index.ts';

/** The durations of a rotation, in the words that all languages share. */
export const rotationParts = ({ every, overlap, quiet }: Rotation): readonly (readonly [string, string])[] => [
  ['every', renderInterval(every)],
  ['overlap', renderInterval(overlap)],
  ...(quiet === undefined ? [] : [['quiet', renderInterval(quiet)] as const]),
];

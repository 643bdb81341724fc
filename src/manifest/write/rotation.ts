import type { Rotation } from '../../domain/index.ts';

/** The unit of each length in seconds, the longest first. */
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Renders seconds in the largest exact unit: every other one may need more digits than a duration may have. */
function renderInterval(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

/** The durations of a rotation, in the words that all languages share. */
export const rotationParts = ({ every, overlap, quiet }: Rotation): readonly (readonly [string, string])[] => [
  ['every', renderInterval(every)],
  ['overlap', renderInterval(overlap)],
  ...(quiet === undefined ? [] : [['quiet', renderInterval(quiet)] as const]),
];

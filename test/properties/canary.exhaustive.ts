import { describe, it } from 'vitest';
import { COMMANDS, lookIn } from './canary.ts';

describe('secrets that are planted in every text of every answer', () => {
  it.each(COMMANDS.map((words) => ({ words })))('are not emitted by: $words', ({ words }) => lookIn(words, () => true));
});

import { z } from 'zod';
import { usd } from './budget.ts';
import { flag, line, says, textOf, wholeNumber } from './scalar.ts';

const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

const count = () => wholeNumber(1, 'count');
const milliseconds = () => count().describe('Milliseconds.');
const seconds = () =>
  z.union(
    [z.number(says('seconds')).positive(says('seconds')), textOf(/^(?![0.]+$)\d{1,6}(\.\d{1,6})?$/u, 'seconds')],
    says('seconds'),
  );
const pixels = () => count().describe('Pixels.');

/** Expectations whose value is a text also when it looks like a number. */
export const TEXT_EXPECTATIONS: readonly string[] = ['matches', 'toolCall', 'format'];

/** What an answer must be, beyond what its request asks for. */
export const Expect = z
  .strictObject(
    {
      contains: z
        .union([line('contains'), z.array(line('contains')).min(1, says('contains'))], says('contains'))
        .describe('A text, or several, that the answer holds.')
        .optional(),
      matches: line('pattern')
        .refine(isPattern, says('pattern'))
        .describe('A regular expression that the answer matches.')
        .optional(),
      jsonSchema: z
        .looseObject({}, says('json-schema'))
        .describe('The answer is JSON that satisfies this schema.')
        .optional(),
      toolCall: line('text').describe('The tool that the answer calls.').optional(),
      dimensions: count().describe('Numbers in each vector.').optional(),
      minDimensions: count().describe('At least so many numbers in each vector.').optional(),
      minInputTokens: count().describe('At least so many tokens are counted.').optional(),
      maxInputTokens: count().describe('At most so many tokens are counted.').optional(),
      count: count().describe('Pictures in the answer.').optional(),
      format: textOf(/^(png|jpeg|webp|mp4)$/u, 'media-format')
        .describe('How it is encoded.')
        .optional(),
      width: pixels().optional(),
      height: pixels().optional(),
      minWidth: pixels().optional(),
      minHeight: pixels().optional(),
      seconds: seconds().describe('Seconds that the video takes.').optional(),
      audio: flag().describe('Does the video have sound?').optional(),
      maxLatencyMs: milliseconds().optional(),
      maxFirstByteMs: milliseconds().optional(),
      maxCost: usd().optional(),
    },
    says('expect'),
  )
  .meta({ id: 'Expect', description: 'What the answer of a check must be.' });

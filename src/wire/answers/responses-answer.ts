import * as z from 'zod';
import { ifAny, listOf } from './tolerant.ts';

const Content = z.looseObject({ type: ifAny(z.string()), text: ifAny(z.string()) });
const OutputItem = z.looseObject({
  type: ifAny(z.string()),
  content: listOf(Content).catch([]),
  name: ifAny(z.string()),
  arguments: ifAny(z.string()),
});

const Usage = z.looseObject({
  input_tokens: ifAny(z.number()),
  output_tokens: ifAny(z.number()),
  total_tokens: ifAny(z.number()),
});

const textIn = (output: readonly z.output<typeof OutputItem>[]): string =>
  output
    .flatMap(({ content }) => content)
    .map(({ type, text }) => (type === 'output_text' ? (text ?? '') : ''))
    .join('');

/**
 * The answer to a responses-style request, and its text in one piece. The contract does not show its shape; this is the
 * usual one.
 */
export const ResponsesAnswer = z
  .looseObject({
    id: ifAny(z.string()),
    object: ifAny(z.string()),
    status: ifAny(z.string()),
    model: ifAny(z.string()),
    output: z.array(OutputItem),
    usage: ifAny(Usage),
  })
  .transform((answer) => ({ ...answer, outputText: textIn(answer.output) }));
export type ResponsesAnswer = z.output<typeof ResponsesAnswer>;

/** One event of its stream: `response.created`, `response.output_text.delta`, `response.completed` and many others. */
export const ResponsesEvent = z.looseObject({
  type: z.string(),
  sequence_number: ifAny(z.number()),
  delta: ifAny(z.string()),
  response: ifAny(z.looseObject({ id: ifAny(z.string()), status: ifAny(z.string()), usage: ifAny(Usage) })),
});
export type ResponsesEvent = z.output<typeof ResponsesEvent>;

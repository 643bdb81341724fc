import type { Body, Examination, Trial } from '../module.ts';
import { claimJson } from './json-claims.ts';
import { claimAnswer, claimText } from './text-claims.ts';
import { type Called, claimTools } from './tool-claims.ts';
import { claimUsage, type UsageFigures } from './usage-claims.ts';

/** One candidate of an answer, put together if it came in parts. */
export interface Choice {
  readonly index: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Called[];
  readonly finish: string | null | undefined;
}

export interface Completion {
  readonly choices: readonly Choice[];
  readonly usage: UsageFigures | undefined;
}

const countOf = ({ n }: Body): number => (typeof n === 'number' ? n : 1);

/** Room for words that a tokenizer splits otherwise than the gateway says. */
const TOLERANCE = 1.1;

function claimFormat(exam: Examination, text: string, { response_format: format }: Body): void {
  const { type, json_schema: named } = (format ?? {}) as { type?: string; json_schema?: { schema?: never } };
  if (type === 'json_object') claimJson(exam, { text, what: 'the answer' });
  if (type === 'json_schema') claimJson(exam, { text, what: 'the answer' }, named?.schema);
}

function claimStops(exam: Examination, text: string, { stop }: Body): void {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((each) => typeof each === 'string' && each !== '');
  for (const each of stops as string[]) {
    exam.claim(
      `the answer ends before the stop sequence ${JSON.stringify(each)}`,
      !text.includes(each),
      text.slice(0, 160),
    );
  }
}

function claimChoice(exam: Examination, choice: Choice, { spec, body }: { spec: Trial['spec']; body: Body }): void {
  const { text, calls, finish } = choice;
  exam.claim('the answer says why it ended', Boolean(finish), finish ?? 'nothing');
  exam.claim('it did not end with a failure', !/error|fail|content_filter/i.test(finish ?? ''), finish ?? 'nothing');
  claimTools(exam, calls, { body, expect: spec.expect });
  if (calls.length > 0) return;
  claimText(exam, text, spec.expect);
  // An answer that its limit cut off is no JSON, and that is nobody’s fault but the limit’s.
  claimFormat(exam, text, body);
  claimStops(exam, text, body);
  if (
    spec.request.messages === undefined &&
    spec.request.max_tokens === undefined &&
    spec.request.response_format === undefined
  ) {
    claimAnswer(exam, text);
  }
}

/** Everything that must be so of a chat completion, whole or streamed. */
export function claimCompletion(
  exam: Examination,
  { choices, usage }: Completion,
  given: { spec: Trial['spec']; body: Body },
): void {
  const { body } = given;
  const wanted = countOf(body);
  const indexes = choices.map(({ index }) => index).sort((a, b) => a - b);
  exam.claim(`there are as many answers as were asked for: ${wanted}`, choices.length === wanted, `${choices.length}`);
  exam.claim(
    'the answers are numbered from 0',
    indexes.every((index, at) => index === at),
    indexes.join(', '),
  );
  for (const choice of choices) claimChoice(exam, choice, given);
  const spoke = choices.some(({ text, calls }) => text !== '' || calls.length > 0);
  claimUsage(exam, usage, { spoke, total: true });
  const { max_tokens: most } = body;
  if (typeof most === 'number' && typeof usage?.output === 'number') {
    const limit = Math.ceil(most * wanted * TOLERANCE);
    exam.claim(`it takes at most ${most} tokens`, usage.output <= limit, `${usage.output}`);
  }
}

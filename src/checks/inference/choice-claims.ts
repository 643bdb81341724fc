import type { Json } from '../../domain/index.ts';
import type { Body, CheckRecorder, Trial } from '../check-module.ts';
import { claimFormat } from './json-claims.ts';
import { claimAnswer, claimExpected, claimText } from './text-claims.ts';
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
  /** Was the gateway asked to tell its usage? */
  readonly reportsUsage: boolean;
}

const countOf = ({ n }: Body): number => (typeof n === 'number' ? n : 1);

/** With any of these the model may well say something else, or less, than the built-in question asks for. */
const LEADS_ELSEWHERE = ['messages', 'max_tokens', 'response_format', 'stop', 'tools', 'logit_bias'] as const;

/** Room for words that a tokenizer splits otherwise than the gateway says. */
const TOLERANCE = 1.1;

function formatIn({ response_format: format }: Body) {
  const { type, json_schema: named } = (format ?? {}) as { type?: string; json_schema?: { schema?: Json } };
  return { type, schema: named?.schema };
}

function claimStops(recorder: CheckRecorder, text: string, { stop }: Body): void {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((each) => typeof each === 'string' && each !== '');
  for (const each of stops as string[]) {
    recorder.claim(
      `the answer ends before the stop sequence ${JSON.stringify(each)}`,
      !text.includes(each),
      text.slice(0, 160),
    );
  }
}

function claimChoice(
  recorder: CheckRecorder,
  choice: Choice,
  { spec, body }: { spec: Trial['spec']; body: Body },
): void {
  const { text, calls, finish } = choice;
  recorder.claim('the answer says why it ended', Boolean(finish), finish ?? 'nothing');
  recorder.claim(
    'it did not end with a failure',
    !/error|fail|content_filter/i.test(finish ?? ''),
    finish ?? 'nothing',
  );
  claimTools(recorder, calls, { body, expect: spec.expect });
  claimStops(recorder, text, body);
  claimExpected(recorder, text, spec.expect);
  if (calls.length > 0) return;
  claimText(recorder, text);
  claimFormat(recorder, text, formatIn(body));
  if (LEADS_ELSEWHERE.every((field) => spec.request[field] === undefined)) claimAnswer(recorder, text);
}

/** Reasoning may have a limit of its own: where it is not reported apart from the rest, nothing follows from the figure. */
function claimLimit(recorder: CheckRecorder, { choices, usage }: Completion, body: Body): void {
  const { max_tokens: most } = body;
  const reasoned = choices.some(({ reasoning }) => reasoning !== '');
  if (typeof most !== 'number' || typeof usage?.output !== 'number') return;
  if (usage.reasoning === undefined && reasoned) return;
  const taken = usage.output - (usage.reasoning ?? 0);
  const limit = Math.ceil(most * countOf(body) * TOLERANCE);
  recorder.claim(`it takes at most ${most} tokens`, taken <= limit, `${taken}`);
}

/** Everything that must be so of a chat completion, whole or streamed. */
export function claimCompletion(
  recorder: CheckRecorder,
  completion: Completion,
  given: { spec: Trial['spec']; body: Body },
): void {
  const { body } = given;
  const { choices, usage, reportsUsage } = completion;
  const wanted = countOf(body);
  const indexes = choices.map(({ index }) => index).sort((a, b) => a - b);
  recorder.claim(
    `there are as many answers as were asked for: ${wanted}`,
    choices.length === wanted,
    `${choices.length}`,
  );
  recorder.claim(
    'the answers are numbered from 0',
    indexes.every((index, at) => index === at),
    indexes.join(', '),
  );
  for (const choice of choices) claimChoice(recorder, choice, given);
  const spoke = choices.some(({ text, calls }) => text !== '' || calls.length > 0);
  const reasoned = choices.some(({ reasoning }) => reasoning !== '');
  if (reportsUsage || usage) claimUsage(recorder, usage, { spoke, reasoned, total: true });
  claimLimit(recorder, completion, body);
}

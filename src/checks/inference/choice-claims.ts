import type { ChatRequest } from '../../wire/index.ts';
import type { CheckRecorder, RequestContext } from '../check-module.ts';
import { claimFormat } from './json-claims.ts';
import { claimAnswered } from './question.ts';
import { claimExpected, claimText } from './text-claims.ts';
import { claimTools, type ToolCall } from './tool-claims.ts';
import { claimUsage, type UsageFigures } from './usage-claims.ts';

/** One choice of an answer, put together if it came in parts. */
export interface Choice {
  readonly index: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly finish: string | null | undefined;
}

export interface Completion {
  readonly choices: readonly Choice[];
  readonly usage: UsageFigures | undefined;
  readonly mustReportUsage: boolean;
}

/** The check and its request, which the answer must match. */
type Requested = Pick<RequestContext<'chat'>, 'spec' | 'request' | 'number'>;

/** Any of these may change or shorten the answer to the built-in question. */
const CHANGES_ANSWER = ['messages', 'response_format', 'stop', 'tools', 'logit_bias'] as const;

/** Tolerance for tokenizers that split words differently from the gateway. */
const TOLERANCE = 1.1;

const formatIn = ({ response_format: format }: ChatRequest) =>
  format && { type: format.type, schema: format.type === 'json_schema' ? format.json_schema.schema : undefined };

function claimStops(recorder: CheckRecorder, text: string, { stop }: ChatRequest): void {
  const sequences = (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((each) => each !== '');
  for (const each of sequences) {
    const claim = `the answer ends before the stop sequence ${JSON.stringify(each)}`;
    recorder.claim(claim, !text.includes(each), text.slice(0, 160));
  }
}

async function claimChoice(
  recorder: CheckRecorder,
  choice: Choice,
  { spec, request: { body }, number }: Requested,
): Promise<void> {
  const { text, calls, finish } = choice;
  const hasFailed = /error|fail|content_filter/i.test(finish ?? '');
  recorder.claim('the answer gives its finish reason', Boolean(finish), finish ?? 'nothing');
  recorder.claim('it did not end with a failure', !hasFailed, finish ?? 'nothing');
  await claimTools(recorder, calls, { body, expect: spec.expect });
  claimStops(recorder, text, body);
  await claimExpected(recorder, text, spec.expect);
  if (calls.length > 0) return;
  claimText(recorder, text);
  await claimFormat(recorder, text, formatIn(body));
  // A limit of the check may cut the answer short.
  const isCutShort = spec.request.max_tokens !== undefined && finish === 'length';
  if (isCutShort || CHANGES_ANSWER.some((field) => spec.request[field] !== undefined)) return;
  claimAnswered(recorder, text, number);
}

/** Claims that the token limit is kept. Reasoning may have a limit of its own, so it must be known how much it used. */
function claimLimit(
  recorder: CheckRecorder,
  { choices, usage }: Completion,
  { max_tokens: max, n = 1 }: ChatRequest,
): void {
  const reasoned = choices.some(({ reasoning }) => reasoning !== '');
  if (max === undefined || typeof usage?.output !== 'number') return;
  if (usage.reasoning === undefined && reasoned) return;
  const used = usage.output - (usage.reasoning ?? 0);
  recorder.claim(`it takes at most ${max} tokens`, used <= Math.ceil(max * n * TOLERANCE), `${used}`);
}

/** Claims everything that a chat completion must fulfil, complete or streamed. */
export async function claimCompletion(
  recorder: CheckRecorder,
  completion: Completion,
  requested: Requested,
): Promise<void> {
  const { body } = requested.request;
  const { choices, usage, mustReportUsage } = completion;
  const { n: count = 1 } = body;
  const indexes = choices.map(({ index }) => index).sort((a, b) => a - b);
  recorder.claim(
    `the answer has as many choices as requested: ${count}`,
    choices.length === count,
    `${choices.length}`,
  );
  recorder.claim(
    'the choices are numbered from 0',
    indexes.every((index, at) => index === at),
    indexes.join(', '),
  );
  for (const choice of choices) await claimChoice(recorder, choice, requested);
  const hasOutput = choices.some(({ text, calls }) => text !== '' || calls.length > 0);
  const reasoned = choices.some(({ reasoning }) => reasoning !== '');
  if (mustReportUsage || usage) claimUsage(recorder, usage, { hasOutput, reasoned, total: true });
  claimLimit(recorder, completion, body);
}

import type { Json } from '../../domain/index.ts';
import type { ResponsesAnswer } from '../../gateway/index.ts';
import type { ResponsesRequest } from '../../wire/index.ts';
import { type CheckContext, type CheckRecorder, type RequestContext, requestModule } from '../check-module.ts';
import { mergeRequest } from '../check-request.ts';
import { isChatModel } from '../model-kinds.ts';
import { claimFormat } from './json-claims.ts';
import { claimAnswer, claimExpected, claimText, QUESTION, TEXT_ASSERTIONS } from './text-claims.ts';
import { claimTools, type ToolCall } from './tool-claims.ts';
import { claimReportedUsage, reasoningIn, type UsageFigures } from './usage-claims.ts';

const usageOf = (usage: ResponsesAnswer['usage']): UsageFigures | undefined =>
  usage
    ? {
        input: usage.input_tokens,
        output: usage.output_tokens,
        total: usage.total_tokens,
        reasoning: reasoningIn(usage.output_tokens_details),
      }
    : undefined;

const callsIn = ({ output }: ResponsesAnswer): readonly ToolCall[] =>
  output
    .filter(({ type }) => type === 'function_call')
    .map((item) => ({ name: item.name ?? '', arguments: item.arguments ?? '' }));

/** The contract does not show the field `text`; this is its form in OpenAI's API. */
const formatIn = ({ text }: ResponsesRequest) =>
  (text as { format?: { type?: string; schema?: Json } } | undefined)?.format;

/** Any of these may change the answer to the built-in question. */
const CHANGES_ANSWER = ['input', 'instructions', 'max_output_tokens', 'text', 'tools'] as const;

function claimWords(
  recorder: CheckRecorder,
  text: string,
  { spec, body }: { spec: CheckContext['spec']; body: ResponsesRequest },
): void {
  claimText(recorder, text);
  claimFormat(recorder, text, formatIn(body));
  if (CHANGES_ANSWER.every((field) => spec.request[field] === undefined)) claimAnswer(recorder, text);
}

async function run({ inference, request, recorder, spec, signal }: RequestContext<'responses'>): Promise<void> {
  const { body } = request;
  const answered = await inference.respond(body, { signal });
  recorder.exchange('responses', body, answered);
  const { model, status, outputText, usage } = answered.value;
  recorder.answeredBy(model);
  // A limit that the request sets may cut the answer short.
  const isCutShort = status === 'incomplete' && body.max_output_tokens !== undefined;
  if (status) recorder.claim('the response is completed', status === 'completed' || isCutShort, status);
  const calls = callsIn(answered.value);
  claimTools(recorder, calls, { body, expect: spec.expect });
  claimExpected(recorder, outputText, spec.expect);
  if (calls.length === 0) claimWords(recorder, outputText, { spec, body });
  const reasoned = answered.value.output.some(({ type }) => type === 'reasoning');
  const hasOutput = outputText !== '' || calls.length > 0;
  // Contract: “Full request and response shape: not shown.”
  claimReportedUsage(recorder, usageOf(usage), { hasOutput, reasoned, total: true });
}

export const RESPONSES_MODULE = requestModule({
  id: 'responses',
  schedule: 'cheap',
  pays: true,
  isAsynchronous: false,
  needsUsableKey: true,
  timeoutMs: 300_000,
  assertions: TEXT_ASSERTIONS,
  families: ['responses'],
  accepts: isChatModel,
  buildRequest: (model, { request }) => ({
    family: 'responses',
    body: mergeRequest({ model, input: QUESTION }, request),
  }),
  proves:
    'a completed response with text, or the requested tool call or JSON, with usage that adds up if it is reported',
  run,
});

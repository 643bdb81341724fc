import type { Json } from '../../domain/index.ts';
import type { ResponsesAnswer } from '../../gateway/index.ts';
import type { ResponsesRequest } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, CheckRecorder, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { speaks } from '../model-kinds.ts';
import { claimFormat } from './json-claims.ts';
import { claimAnswer, claimExpected, claimText, QUESTION } from './text-claims.ts';
import { type Called, claimTools } from './tool-claims.ts';
import { claimUsageIfReported, reasoningIn, type UsageFigures } from './usage-claims.ts';

const usageOf = (usage: ResponsesAnswer['usage']): UsageFigures | undefined =>
  usage
    ? {
        input: usage.input_tokens,
        output: usage.output_tokens,
        total: usage.total_tokens,
        reasoning: reasoningIn(usage.output_tokens_details),
      }
    : undefined;

const callsIn = ({ output }: ResponsesAnswer): readonly Called[] =>
  output
    .filter(({ type }) => type === 'function_call')
    .map((item) => ({ name: item.name ?? '', arguments: item.arguments ?? '' }));

const formatIn = ({ text }: Body) => (text as { format?: { type?: string; schema?: Json } } | undefined)?.format;

/** With any of these the model may well say something else, or less, than the built-in question asks for. */
const LEADS_ELSEWHERE = ['input', 'instructions', 'max_output_tokens', 'text', 'tools'] as const;

function claimWords(recorder: CheckRecorder, text: string, { spec, body }: { spec: Trial['spec']; body: Body }): void {
  claimText(recorder, text);
  claimFormat(recorder, text, formatIn(body));
  if (LEADS_ELSEWHERE.every((field) => spec.request[field] === undefined)) claimAnswer(recorder, text);
}

async function examine({ inference, plea, recorder, spec, signal }: Trial): Promise<void> {
  const body = plea?.body ?? {};
  const answered = await inference.respond(body as unknown as ResponsesRequest, { signal });
  recorder.exchange('responses', body, answered);
  const { model, status, outputText, usage } = answered.value;
  recorder.answeredBy(model);
  // Who sets a limit may reach it.
  const isCutShort = status === 'incomplete' && body.max_output_tokens !== undefined;
  if (status) recorder.claim('the response is completed', status === 'completed' || isCutShort, status);
  const calls = callsIn(answered.value);
  claimTools(recorder, calls, { body, expect: spec.expect });
  claimExpected(recorder, outputText, spec.expect);
  if (calls.length === 0) claimWords(recorder, outputText, { spec, body });
  const reasoned = answered.value.output.some(({ type }) => type === 'reasoning');
  // Contract: “Full request and response shape: not shown.”
  claimUsageIfReported(recorder, usageOf(usage), {
    spoke: outputText !== '' || calls.length > 0,
    reasoned,
    total: true,
  });
}

export const RESPONSES_MODULE: CheckModuleEntry = {
  id: 'responses',
  schedule: 'cheap',
  pays: true,
  isAsynchronous: false,
  wantsUsableKey: true,
  timeoutMs: 300_000,
  expects: ['contains', 'matches', 'jsonSchema', 'toolCall', 'maxLatencyMs', 'maxFirstByteMs', 'maxCost'],
  takes: speaks,
  plea: (model, { request }) => ({ family: 'responses', body: mergeRequest({ model, input: QUESTION }, request) }),
  proves:
    'a completed response with text, or the tool call or JSON that was asked for, with usage that adds up where it is reported',
  examine,
};

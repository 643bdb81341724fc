import type { ResponsesRequest } from '../../wire/index.ts';
import { speaks } from '../model-kinds.ts';
import type { CheckModuleEntry, Trial } from '../module.ts';
import { overlay } from '../overlay.ts';
import { claimAnswer, claimText, QUESTION } from './text-claims.ts';
import { claimUsage } from './usage-claims.ts';

async function examine({ inference, plea, exam, spec, signal }: Trial): Promise<void> {
  const body = plea?.body ?? {};
  const answered = await inference.respond(body as unknown as ResponsesRequest, { signal });
  exam.exchange('responses', body, answered);
  const { model, status, outputText, usage } = answered.value;
  exam.answeredBy(model);
  if (status) exam.claim('the response is completed', status === 'completed', status);
  claimText(exam, outputText, spec.expect);
  if (spec.request.input === undefined && spec.request.max_output_tokens === undefined) claimAnswer(exam, outputText);
  const figures = usage && { input: usage.input_tokens, output: usage.output_tokens, total: usage.total_tokens };
  claimUsage(exam, figures ?? undefined, { spoke: outputText !== '', total: true });
}

export const RESPONSES_MODULE: CheckModuleEntry = {
  id: 'responses',
  schedule: 'cheap',
  pays: true,
  isAsynchronous: false,
  wantsUsableKey: true,
  timeoutMs: 300_000,
  expects: ['contains', 'matches', 'jsonSchema', 'maxLatencyMs', 'maxFirstByteMs', 'maxCost'],
  takes: speaks,
  plea: (model, { request }) => ({ family: 'responses', body: overlay({ model, input: QUESTION }, request) }),
  proves: 'a completed response with text, and usage that adds up',
  examine,
};

import type { Json } from '../../domain/index.ts';
import { ResponsesAnswer, type ResponsesRequest } from '../../wire/index.ts';
import { draftText } from '../built-in-texts.ts';
import { type CheckModuleEntry, type RequestContext, requestModule } from '../check-module.ts';
import { type JsonFields, mergeRequest } from '../check-request.ts';
import { isChatModel } from '../model-kinds.ts';
import { readStream } from '../read-stream.ts';
import { claimFormat } from './json-claims.ts';
import { claimAnswered } from './question.ts';
import { claimExpected, claimText, LENGTH_OF_ONE_PART, TEXT_ASSERTIONS } from './text-claims.ts';
import { claimTools, type ToolCall } from './tool-claims.ts';
import { claimReportedUsage, reasoningIn, type UsageFigures } from './usage-claims.ts';

type ResponsesContext = RequestContext<'responses'>;

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
const CHANGES_ANSWER = ['input', 'instructions', 'text', 'tools'] as const;

async function claimResponse(context: ResponsesContext, answer: ResponsesAnswer): Promise<void> {
  const { recorder, spec, number } = context;
  const { body } = context.request;
  const { model, status, outputText, usage } = answer;
  recorder.answeredBy(model);
  // A limit that the request sets may cut the answer short.
  const isCutShort = status === 'incomplete' && body.max_output_tokens !== undefined;
  recorder.claim('the response is completed', status === 'completed' || isCutShort, status ?? 'no status');
  const calls = callsIn(answer);
  await claimTools(recorder, calls, { body, expect: spec.expect });
  await claimExpected(recorder, outputText, spec.expect);
  if (calls.length === 0) {
    claimText(recorder, outputText);
    await claimFormat(recorder, outputText, formatIn(body));
    const isChanged = isCutShort || CHANGES_ANSWER.some((field) => spec.request[field] !== undefined);
    if (!isChanged) claimAnswered(recorder, outputText, number);
  }
  const reasoned = answer.output.some(({ type }) => type === 'reasoning');
  const hasOutput = outputText !== '' || calls.length > 0;
  // Contract: “Full request and response shape: not shown.”
  claimReportedUsage(recorder, usageOf(usage), { hasOutput, reasoned, total: true });
}

async function run(context: ResponsesContext): Promise<void> {
  const { inference, recorder, signal, request } = context;
  const answered = await inference.respond(request.body, { signal });
  recorder.exchange('responses', request.body, answered);
  await claimResponse(context, answered.value);
}

/** The status of a response by the type of the event that ends its stream. */
const STATUSES: { readonly [type: string]: string | undefined } = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
};

async function runStream(context: ResponsesContext): Promise<void> {
  const { inference, recorder, signal, request } = context;
  const stream = await inference.streamRespond(request.body, { signal });
  const events = await readStream(recorder, { title: 'responses, streamed', request: request.body }, stream);
  const parts = events.flatMap(({ type, delta }) => (type === 'response.output_text.delta' && delta ? [delta] : []));
  const end = events.findLast(({ type }) => STATUSES[type] !== undefined);
  const whole = ResponsesAnswer.safeParse(end?.response);
  recorder.claim('the final event has the whole response', whole.success);
  if (!whole.success) return;
  const { outputText } = whole.data;
  recorder.claim('the parts of the text make up the text of the response', parts.join('') === outputText);
  if (outputText.length > LENGTH_OF_ONE_PART)
    recorder.claim('the answer comes in several parts', parts.length > 1, `${parts.length}`);
  const status = whole.data.status ?? STATUSES[end?.type ?? ''];
  await claimResponse(context, { ...whole.data, status });
}

const COMMON = {
  schedule: 'cheap',
  pays: true,
  isAsynchronous: false,
  needsUsableKey: true,
  timeoutMs: 300_000,
  assertions: TEXT_ASSERTIONS,
  families: ['responses'],
  accepts: isChatModel,
} as const;

const buildRequest =
  (defaults: JsonFields) =>
  (model: string, { request }: { readonly request: JsonFields }) =>
    ({
      family: 'responses',
      body: mergeRequest({ model, input: draftText('question'), ...defaults }, request),
    }) as const;

export const RESPONSES_MODULES: readonly CheckModuleEntry[] = [
  requestModule({
    ...COMMON,
    id: 'responses',
    streamedBy: 'responses-stream',
    buildRequest: buildRequest({}),
    proves:
      'a completed response with text, or the requested tool call or JSON, with usage that adds up if it is reported',
    run,
  }),
  requestModule({
    ...COMMON,
    id: 'responses-stream',
    isStream: true,
    buildRequest: buildRequest({ stream: true }),
    proves: 'the same in events, up to the final one, whose response has the text of its parts',
    run: runStream,
  }),
];

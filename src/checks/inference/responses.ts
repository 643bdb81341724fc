import type { Json } from '../../domain/index.ts';
import type { ResponsesEvent } from '../../gateway/index.ts';
import { ResponsesAnswer, type ResponsesRequest } from '../../wire/index.ts';
import {
  type CheckContext,
  type CheckModuleEntry,
  type CheckRecorder,
  type RequestContext,
  requestModule,
} from '../check-module.ts';
import { type JsonFields, mergeRequest } from '../check-request.ts';
import { isChatModel } from '../model-kinds.ts';
import { readStream } from '../read-stream.ts';
import { claimFormat } from './json-claims.ts';
import { claimAnswer, claimExpected, claimText, LENGTH_OF_ONE_PART, QUESTION, TEXT_ASSERTIONS } from './text-claims.ts';
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
const CHANGES_ANSWER = ['input', 'instructions', 'max_output_tokens', 'text', 'tools'] as const;

async function claimWords(
  recorder: CheckRecorder,
  text: string,
  { spec, body }: { spec: CheckContext['spec']; body: ResponsesRequest },
): Promise<void> {
  claimText(recorder, text);
  await claimFormat(recorder, text, formatIn(body));
  if (CHANGES_ANSWER.every((field) => spec.request[field] === undefined)) claimAnswer(recorder, text);
}

async function claimResponse(
  { request: { body }, recorder, spec }: ResponsesContext,
  answer: ResponsesAnswer,
): Promise<void> {
  const { model, status, outputText, usage } = answer;
  recorder.answeredBy(model);
  // A limit that the request sets may cut the answer short.
  const isCutShort = status === 'incomplete' && body.max_output_tokens !== undefined;
  if (status) recorder.claim('the response is completed', status === 'completed' || isCutShort, status);
  const calls = callsIn(answer);
  await claimTools(recorder, calls, { body, expect: spec.expect });
  await claimExpected(recorder, outputText, spec.expect);
  if (calls.length === 0) await claimWords(recorder, outputText, { spec, body });
  const reasoned = answer.output.some(({ type }) => type === 'reasoning');
  const hasOutput = outputText !== '' || calls.length > 0;
  // Contract: “Full request and response shape: not shown.”
  claimReportedUsage(recorder, usageOf(usage), { hasOutput, reasoned, total: true });
}

async function run(context: ResponsesContext): Promise<void> {
  const { inference, request, recorder, signal } = context;
  const answered = await inference.respond(request.body, { signal });
  recorder.exchange('responses', request.body, answered);
  await claimResponse(context, answered.value);
}

const isEnd = ({ type }: ResponsesEvent): boolean => type === 'response.completed' || type === 'response.incomplete';

async function runStream(context: ResponsesContext): Promise<void> {
  const { inference, request, recorder, signal } = context;
  const stream = await inference.streamRespond(request.body, { signal });
  const events = await readStream(recorder, { title: 'responses, streamed', request: request.body }, stream);
  const parts = events.flatMap(({ type, delta }) => (type === 'response.output_text.delta' && delta ? [delta] : []));
  const whole = ResponsesAnswer.safeParse(events.findLast(isEnd)?.response);
  recorder.claim('the final event has the whole response', whole.success);
  if (!whole.success) return;
  const { outputText } = whole.data;
  recorder.claim('the parts of the text make up the text of the response', parts.join('') === outputText);
  if (outputText.length > LENGTH_OF_ONE_PART)
    recorder.claim('the answer comes in several parts', parts.length > 1, `${parts.length}`);
  await claimResponse(context, whole.data);
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
    ({ family: 'responses', body: mergeRequest({ model, input: QUESTION, ...defaults }, request) }) as const;

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

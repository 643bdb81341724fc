import type { ChatChunk, ChatCompletion } from '../../gateway/index.ts';
import type { ChatRequest } from '../../wire/index.ts';
import { draftText } from '../built-in-texts.ts';
import { type CheckModuleEntry, type RequestContext, requestModule } from '../check-module.ts';
import { asRequest, type JsonFields, mergeRequest } from '../check-request.ts';
import { isChatModel } from '../model-kinds.ts';
import { type Choice, claimCompletion } from './choice-claims.ts';
import { LENGTH_OF_ONE_PART, TEXT_ASSERTIONS } from './text-claims.ts';
import { reasoningIn, type UsageFigures } from './usage-claims.ts';

type ChatContext = RequestContext<'chat'>;

/** Enough for a model that reasons before it answers. */
const MAX_TOKENS = 512;

const DEFAULTS: JsonFields = { messages: [{ role: 'user', content: draftText('question') }], max_tokens: MAX_TOKENS };

const usageOf = (usage: ChatCompletion['usage']): UsageFigures | undefined =>
  usage
    ? {
        input: usage.prompt_tokens,
        output: usage.completion_tokens,
        total: usage.total_tokens,
        reasoning: reasoningIn(usage.completion_tokens_details),
      }
    : undefined;

type AnswerMessage = ChatCompletion['choices'][number]['message'];

const callsOf = ({ tool_calls: calls }: AnswerMessage) =>
  (calls ?? []).map((call) => ({ name: call.function?.name ?? '', arguments: call.function?.arguments ?? '' }));

async function checkChat(context: ChatContext): Promise<void> {
  const { recorder, signal, inference } = context;
  const { body } = context.request;
  const answered = await inference.chat(asRequest(body), { signal });
  recorder.exchange('chat', body, answered);
  const { model, choices, usage } = answered.value;
  recorder.answeredBy(model);
  const read = choices.map(
    ({ index, message, finish_reason: finish }): Choice => ({
      index,
      text: message.content ?? '',
      reasoning: message.reasoning_content ?? '',
      calls: callsOf(message),
      finish,
    }),
  );
  await claimCompletion(recorder, { choices: read, usage: usageOf(usage), mustReportUsage: true }, context);
}

/** A choice whose parts are still arriving. */
interface PartialChoice {
  text: string;
  reasoning: string;
  finish: string | undefined;
  readonly calls: Map<number, { name: string; arguments: string }>;
}

const emptyChoice = (): PartialChoice => ({ text: '', reasoning: '', finish: undefined, calls: new Map() });

function append(partial: PartialChoice, { delta, finish_reason: finish }: ChatChunk['choices'][number]): void {
  partial.text += delta.content ?? '';
  partial.reasoning += delta.reasoning_content ?? '';
  if (finish) partial.finish = finish;
  for (const [at, call] of (delta.tool_calls ?? []).entries()) {
    const index = call.index ?? at;
    const known = partial.calls.get(index) ?? { name: '', arguments: '' };
    partial.calls.set(index, {
      name: known.name || (call.function?.name ?? ''),
      arguments: known.arguments + (call.function?.arguments ?? ''),
    });
  }
}

/** The parts of a stream, put together. */
interface Received {
  readonly choices: Map<number, PartialChoice>;
  readonly ids: Set<string>;
  readonly models: Set<string>;
  usage: UsageFigures | undefined;
  /** Number of chunks with a part of the answer. */
  parts: number;
}

function receive(received: Received, { id, model, choices, usage }: ChatChunk): void {
  if (id) received.ids.add(id);
  if (model) received.models.add(model);
  received.usage = usageOf(usage) ?? received.usage;
  for (const choice of choices) {
    const partial = received.choices.get(choice.index) ?? emptyChoice();
    received.choices.set(choice.index, partial);
    append(partial, choice);
    const { content, reasoning_content: reasoning, tool_calls: calls } = choice.delta;
    if (content || reasoning || calls?.length) received.parts += 1;
  }
}

const choicesOf = ({ choices }: Received): readonly Choice[] =>
  [...choices].map(([index, { text, reasoning, finish, calls }]) => ({
    index,
    text,
    reasoning,
    finish,
    calls: [...calls.values()],
  }));

function asksForUsage({ stream_options: options }: ChatRequest): boolean {
  return (
    typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true
  );
}

async function checkStream(context: ChatContext): Promise<void> {
  const { recorder, signal, inference } = context;
  const { body } = context.request;
  const stream = await inference.streamChat(asRequest(body), { signal });
  const received: Received = { choices: new Map(), ids: new Set(), models: new Set(), usage: undefined, parts: 0 };
  for await (const chunk of stream.events) receive(received, chunk);
  const choices = choicesOf(received);
  const { status, requestId, timing } = stream;
  const raw = { parts: received.parts, choices, usage: received.usage };
  const times = { firstByteMs: timing.firstByteMs, totalMs: timing.totalMs ?? timing.firstByteMs };
  recorder.exchange('chat, streamed', body, { raw, status, timing: times, ...(requestId ? { requestId } : {}) });
  recorder.answeredBy(...received.models);
  recorder.claim('all chunks belong to one answer', received.ids.size <= 1, [...received.ids].join(', '));
  const length = choices.reduce((sum, { text }) => sum + text.length, 0);
  if (length > LENGTH_OF_ONE_PART)
    recorder.claim('the answer comes in several parts', received.parts > 1, `${received.parts}`);
  const completion = { choices, usage: received.usage, mustReportUsage: asksForUsage(body) };
  await claimCompletion(recorder, completion, context);
}

const COMMON = {
  schedule: 'cheap',
  pays: true,
  isAsynchronous: false,
  needsUsableKey: true,
  timeoutMs: 120_000,
  assertions: TEXT_ASSERTIONS,
  families: ['chat'],
  accepts: isChatModel,
} as const;

const buildRequest =
  (defaults: JsonFields) =>
  (model: string, { request }: { readonly request: JsonFields }) =>
    ({ family: 'chat', body: mergeRequest({ model, ...defaults }, request) }) as const;

export const CHAT_MODULES: readonly CheckModuleEntry[] = [
  requestModule({
    ...COMMON,
    id: 'chat',
    streamedBy: 'chat-stream',
    buildRequest: buildRequest(DEFAULTS),
    proves: 'an answer in words, or the requested tool call or JSON, with usage that adds up',
    run: checkChat,
  }),
  requestModule({
    ...COMMON,
    id: 'chat-stream',
    isStream: true,
    buildRequest: buildRequest({ ...DEFAULTS, stream: true, stream_options: { include_usage: true } }),
    proves: 'the same in parts, up to the final event',
    run: checkStream,
  }),
];

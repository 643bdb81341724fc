import type { ChatChunk, ChatCompletion } from '../../gateway/index.ts';
import type { ChatRequest } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { speaks } from '../model-kinds.ts';
import { type Choice, claimCompletion } from './choice-claims.ts';
import { QUESTION } from './text-claims.ts';
import { reasoningIn, type UsageFigures } from './usage-claims.ts';

/** Enough for a model that thinks before it speaks. */
const MOST_TOKENS = 512;

const DEFAULTS: Body = { messages: [{ role: 'user', content: QUESTION }], max_tokens: MOST_TOKENS };

const EXPECTS = ['contains', 'matches', 'jsonSchema', 'toolCall', 'maxLatencyMs', 'maxFirstByteMs', 'maxCost'] as const;

const bodyOf = ({ plea }: Trial): Body => plea?.body ?? {};

const usageOf = (usage: ChatCompletion['usage']): UsageFigures | undefined =>
  usage
    ? {
        input: usage.prompt_tokens,
        output: usage.completion_tokens,
        total: usage.total_tokens,
        reasoning: reasoningIn(usage.completion_tokens_details),
      }
    : undefined;

type Message = ChatCompletion['choices'][number]['message'];

const callsOf = ({ tool_calls: calls }: Message) =>
  (calls ?? []).map((call) => ({ name: call.function?.name ?? '', arguments: call.function?.arguments ?? '' }));

async function checkChat(trial: Trial): Promise<void> {
  const { recorder, spec, signal } = trial;
  const body = bodyOf(trial);
  const answered = await trial.inference.chat(body as unknown as ChatRequest, { signal });
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
  claimCompletion(recorder, { choices: read, usage: usageOf(usage), reportsUsage: true }, { spec, body });
}

/** A candidate while its parts come in. */
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

/** What a stream came to. */
interface Received {
  readonly choices: Map<number, PartialChoice>;
  readonly ids: Set<string>;
  readonly models: Set<string>;
  usage: UsageFigures | undefined;
  /** Chunks that brought something of the answer. */
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

const asksForUsage = ({ stream_options: options }: Body): boolean =>
  (options as { include_usage?: unknown } | undefined)?.include_usage === true;

/** Of a text that long a stream that comes in one piece is none. */
const LONG_ENOUGH = 40;

async function checkStream(trial: Trial): Promise<void> {
  const { recorder, spec, signal } = trial;
  const body = bodyOf(trial);
  const stream = await trial.inference.streamChat(body as unknown as ChatRequest, { signal });
  const received: Received = { choices: new Map(), ids: new Set(), models: new Set(), usage: undefined, parts: 0 };
  for await (const chunk of stream.events) receive(received, chunk);
  const choices = choicesOf(received);
  const { status, requestId, timing } = stream;
  const raw = { parts: received.parts, choices, usage: received.usage };
  const whole = { firstByteMs: timing.firstByteMs, totalMs: timing.totalMs ?? timing.firstByteMs };
  recorder.exchange('chat, streamed', body, { raw, status, timing: whole, ...(requestId ? { requestId } : {}) });
  for (const model of received.models) recorder.answeredBy(model);
  recorder.claim('all chunks belong to one answer', received.ids.size <= 1, [...received.ids].join(', '));
  const length = choices.reduce((sum, { text }) => sum + text.length, 0);
  if (length > LONG_ENOUGH)
    recorder.claim('the answer comes in several parts', received.parts > 1, `${received.parts}`);
  claimCompletion(recorder, { choices, usage: received.usage, reportsUsage: asksForUsage(body) }, { spec, body });
}

const plea =
  (defaults: Body) =>
  (model: string, { request }: Pick<Trial['spec'], 'request'>) =>
    ({ family: 'chat', body: mergeRequest({ model, ...defaults }, request) }) as const;

const COMMON = {
  schedule: 'cheap',
  pays: true,
  isAsynchronous: false,
  wantsUsableKey: true,
  timeoutMs: 120_000,
  expects: EXPECTS,
  takes: speaks,
} as const;

export const CHAT_MODULES: readonly CheckModuleEntry[] = [
  {
    ...COMMON,
    id: 'chat',
    plea: plea(DEFAULTS),
    proves: 'an answer in words, or the tool call or JSON that was asked for, with usage that adds up',
    examine: checkChat,
  },
  {
    ...COMMON,
    id: 'chat-stream',
    plea: plea({ ...DEFAULTS, stream: true, stream_options: { include_usage: true } }),
    proves: 'the same in parts, up to the final event',
    examine: checkStream,
  },
];

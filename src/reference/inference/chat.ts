import { countTokens, generateReasoning } from '../../synthetic/index.ts';
import type { ChatRequest } from '../../wire/index.ts';
import type { Usage } from '../billing/price.ts';
import { propertiesOf } from '../json-object.ts';
import type { StreamEvent } from '../server/answer.ts';
import { type ChatMessage, hashText, lastUserText, promptText, splitForStream } from './content.ts';
import { type AnswerSpec, generateAnswer, generateArguments, UNBOUNDED_TOKENS } from './generated-text.ts';
import { type AcceptedRequest, RequestError, type Service, type ServiceResult, serverSentEvent } from './request.ts';

/** A function call in a message. */
interface AnswerToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

interface AnswerChoice {
  readonly content: string | null;
  readonly reasoning: string | undefined;
  readonly calls: readonly AnswerToolCall[];
  readonly finish: 'stop' | 'length' | 'tool_calls';
}

interface FunctionTool {
  readonly function: { readonly name: string; readonly parameters?: unknown };
}

const messagesIn = (body: ChatRequest): readonly ChatMessage[] => body.messages as readonly ChatMessage[];

function promptTokens(body: ChatRequest): number {
  const tools = body.tools === undefined ? '' : JSON.stringify(body.tools);
  return countTokens(promptText(messagesIn(body)) + tools);
}

/** The most answers of one request, as at OpenAI. */
const MOST_CANDIDATES = 128;

const candidates = (body: ChatRequest): number => Number(body.n ?? 1);

/** The function that the answer must call, if any. */
function toolToCall(body: ChatRequest): FunctionTool | undefined {
  const tools = ((body.tools ?? []) as readonly Partial<FunctionTool>[]).filter(
    (tool): tool is FunctionTool => tool.function !== undefined,
  );
  const choice = body.tool_choice as string | { function?: { name?: string } } | undefined;
  const named = typeof choice === 'object' ? choice.function?.name : choice;
  if (named === 'required') return tools[0];
  return tools.find((tool) => tool.function.name === named);
}

function textFor(body: ChatRequest, spec: AnswerSpec): Promise<string> {
  const format = body.response_format as { type?: string; json_schema?: { schema?: unknown } } | undefined;
  return generateAnswer(format && { type: format.type, schema: format.json_schema?.schema }, spec);
}

/** Cuts the text at the first stop sequence and at the token limit. */
function truncateAnswer(body: ChatRequest, text: string): Pick<AnswerChoice, 'content' | 'finish'> {
  const stops = [body.stop ?? []].flat() as readonly string[];
  const ends = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  const kept = ends.length > 0 ? text.slice(0, Math.min(...ends)) : text;
  const limit = body.max_tokens as number | undefined;
  if (limit === undefined || countTokens(kept) <= limit) return { content: kept, finish: 'stop' };
  let short = '';
  for (const piece of splitForStream(kept)) {
    if (countTokens(short + piece) > limit) break;
    short += piece;
  }
  return { content: short, finish: 'length' };
}

async function generateChoice(request: AcceptedRequest<ChatRequest>, index: number): Promise<AnswerChoice> {
  const { body, requestId, context } = request;
  const prompt = lastUserText(messagesIn(body));
  const spec = { prompt, seed: Number(body.seed ?? hashText(prompt)) + index, json: context.json };
  const thinks = body.enable_thinking === true || body.reasoning_effort !== undefined;
  const reasoning = thinks ? generateReasoning(spec) : undefined;
  const tool = toolToCall(body)?.function;
  if (tool === undefined) return { ...truncateAnswer(body, await textFor(body, spec)), reasoning, calls: [] };
  const call: AnswerToolCall = {
    id: `call_${requestId}_${index}`,
    type: 'function',
    function: { name: tool.name, arguments: await generateArguments(tool.parameters, spec) },
  };
  return { content: null, reasoning, calls: [call], finish: 'tool_calls' };
}

const outputText = ({ content, reasoning = '', calls }: AnswerChoice): string =>
  (content ?? '') + reasoning + calls.map((call) => call.function.arguments).join('');

const usageBody = ({ promptTokens: input, completionTokens: output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

function completion(request: AcceptedRequest<ChatRequest>, choices: readonly AnswerChoice[], usage: Usage) {
  return {
    id: `chatcmpl-${request.requestId}`,
    object: 'chat.completion',
    created: request.context.clock.now(),
    model: request.model,
    choices: choices.map(({ content, reasoning, calls, finish }, index) => ({
      index,
      message: {
        role: 'assistant',
        content,
        ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      },
      finish_reason: finish,
    })),
    usage: usageBody(usage),
  };
}

/** The parts that change from chunk to chunk, each with the text that it adds. */
function* deltas({ content, reasoning, calls, finish }: AnswerChoice) {
  yield { delta: { role: 'assistant', content: '' }, text: '', finish: null };
  for (const text of splitForStream(reasoning ?? '')) yield { delta: { reasoning_content: text }, text, finish: null };
  for (const [index, call] of calls.entries()) {
    yield { delta: { tool_calls: [{ index, ...call }] }, text: call.function.arguments, finish: null };
  }
  for (const text of splitForStream(content ?? '')) yield { delta: { content: text }, text, finish: null };
  yield { delta: {}, text: '', finish };
}

function streamChoices(
  request: AcceptedRequest<ChatRequest>,
  choices: readonly AnswerChoice[],
  prompt: number,
): ServiceResult {
  let sent = '';
  const usage = (): Usage => ({ promptTokens: prompt, completionTokens: sent === '' ? 0 : countTokens(sent) });
  const head = {
    id: `chatcmpl-${request.requestId}`,
    object: 'chat.completion.chunk',
    created: request.context.clock.now(),
    model: request.model,
  };
  const { alwaysStreamsUsage } = request.context.profile;
  const wantsUsage = alwaysStreamsUsage || propertiesOf(request.body.stream_options).include_usage === true;
  async function* events(): AsyncGenerator<StreamEvent> {
    for (const [index, choice] of choices.entries()) {
      for (const { delta, text, finish } of deltas(choice)) {
        sent += text;
        yield serverSentEvent({ ...head, choices: [{ index, delta, finish_reason: finish }] });
      }
    }
    if (wantsUsage) yield serverSentEvent({ ...head, choices: [], usage: usageBody(usage()) });
    yield serverSentEvent('[DONE]', { final: true });
  }
  return { events: events(), usage };
}

export const chat: Service<ChatRequest> = {
  estimate({ body }) {
    const each = Number(body.max_tokens ?? UNBOUNDED_TOKENS);
    return { promptTokens: promptTokens(body), completionTokens: each * candidates(body) };
  },
  async serve(request) {
    const count = candidates(request.body);
    if (count > MOST_CANDIDATES) throw new RequestError(`n must be at most ${MOST_CANDIDATES}`);
    const indexes = Array.from({ length: count }, (_, index) => index);
    const choices = await Promise.all(indexes.map((index) => generateChoice(request, index)));
    const prompt = promptTokens(request.body);
    if (request.body.stream === true) return streamChoices(request, choices, prompt);
    const output = choices.map(outputText).join('');
    const usage = { promptTokens: prompt, completionTokens: output === '' ? 0 : countTokens(output) };
    return { body: completion(request, choices, usage), usage };
  },
};

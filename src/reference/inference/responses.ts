import { countTokens, generateReasoning } from '../../synthetic/index.ts';
import type { ResponsesRequest } from '../../wire/index.ts';
import type { Usage } from '../billing/price.ts';
import { propertiesOf } from '../json-object.ts';
import type { StreamEvent } from '../server/answer.ts';
import { type ChatMessage, hashText, lastUserText, promptText, splitForStream } from './content.ts';
import { generateAnswer, generateArguments, type RequestedFormat, UNBOUNDED_TOKENS } from './generated-text.ts';
import { type AcceptedRequest, type Service, type ServiceResult, serverSentEvent } from './request.ts';

/** Reads the input: a text, or a list of messages as the official clients send it. */
const messagesIn = (body: ResponsesRequest): readonly ChatMessage[] => {
  const given: unknown = body.input ?? '';
  const messages = Array.isArray(given) ? (given as readonly ChatMessage[]) : [{ role: 'user', content: given }];
  return body.instructions === undefined ? messages : [{ role: 'system', content: body.instructions }, ...messages];
};

const effortOf = (body: ResponsesRequest): unknown => propertiesOf(body.reasoning).effort ?? 'none';

/** One item of the answer, and its text, which is charged. */
interface AnswerItem {
  readonly item: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const formatIn = (body: ResponsesRequest): RequestedFormat | undefined =>
  (body.text as { format?: RequestedFormat } | undefined)?.format;

interface FunctionTool {
  readonly type: string;
  readonly name?: string;
  readonly parameters?: unknown;
}

function toolToCall(body: ResponsesRequest): FunctionTool | undefined {
  const tools = ((body.tools ?? []) as readonly FunctionTool[]).filter(({ type }) => type === 'function');
  const choice = body.tool_choice as string | { name?: string } | undefined;
  if (choice === 'required') return tools[0];
  const named = typeof choice === 'object' ? choice.name : choice;
  return tools.find(({ name }) => name !== undefined && name === named);
}

async function itemsFor(request: AcceptedRequest<ResponsesRequest>): Promise<readonly AnswerItem[]> {
  const { body, requestId, context } = request;
  const prompt = lastUserText(messagesIn(body));
  const spec = { prompt, seed: hashText(prompt), json: context.json };
  const thought = effortOf(body) === 'none' ? '' : generateReasoning(spec);
  const thinking: readonly AnswerItem[] =
    thought === ''
      ? []
      : [
          {
            item: { id: `rs_${requestId}`, type: 'reasoning', summary: [{ type: 'summary_text', text: thought }] },
            text: thought,
          },
        ];
  const tool = toolToCall(body);
  if (tool) {
    const text = await generateArguments(tool.parameters, spec);
    const ids = { id: `fc_${requestId}`, call_id: `call_${requestId}` };
    return [
      ...thinking,
      { item: { ...ids, type: 'function_call', status: 'completed', name: tool.name, arguments: text }, text },
    ];
  }
  const text = await generateAnswer(formatIn(body), spec);
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { id: `msg_${requestId}`, type: 'message', status: 'completed', role: 'assistant', content };
  return [...thinking, { item: message, text }];
}

const usageBody = ({ promptTokens: input, completionTokens: output }: Usage, reasoning: number) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});

interface GeneratedItems {
  readonly items: readonly AnswerItem[];
  readonly usage: Usage;
}

function responseBody(
  request: AcceptedRequest<ResponsesRequest>,
  { items, usage }: GeneratedItems,
  status: 'in_progress' | 'completed',
) {
  const { body, model, requestId, context } = request;
  const thought = items.find(({ item }) => item.type === 'reasoning')?.text ?? '';
  return {
    id: `resp_${requestId}`,
    object: 'response',
    created_at: context.clock.now(),
    status,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    model,
    output: status === 'completed' ? items.map(({ item }) => item) : [],
    parallel_tool_calls: true,
    reasoning: body.reasoning ?? null,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    usage: status === 'completed' ? usageBody(usage, thought === '' ? 0 : countTokens(thought)) : null,
  };
}

/** The events of one item: added, its text in pieces, done. */
function* itemEvents({ item, text }: AnswerItem, index: number) {
  const at = { item_id: item.id, output_index: index };
  yield { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress' }, adds: '' };
  if (item.type === 'message') {
    const part = { ...at, content_index: 0 };
    yield {
      type: 'response.content_part.added',
      ...part,
      part: { type: 'output_text', text: '', annotations: [] },
      adds: '',
    };
    for (const delta of splitForStream(text)) yield { type: 'response.output_text.delta', ...part, delta, adds: delta };
    yield { type: 'response.output_text.done', ...part, text, adds: '' };
    yield {
      type: 'response.content_part.done',
      ...part,
      part: { type: 'output_text', text, annotations: [] },
      adds: '',
    };
  }
  if (item.type === 'function_call') {
    yield { type: 'response.function_call_arguments.delta', ...at, delta: text, adds: text };
    yield { type: 'response.function_call_arguments.done', ...at, arguments: text, adds: '' };
  }
  if (item.type === 'reasoning') {
    yield { type: 'response.reasoning_summary_text.done', ...at, summary_index: 0, text, adds: text };
  }
  yield { type: 'response.output_item.done', output_index: index, item, adds: '' };
}

function streamItems(request: AcceptedRequest<ResponsesRequest>, generated: GeneratedItems): ServiceResult {
  let sent = '';
  const usage = (): Usage => ({
    promptTokens: generated.usage.promptTokens,
    completionTokens: sent === '' ? 0 : countTokens(sent),
  });
  async function* events(): AsyncGenerator<StreamEvent> {
    let sequence = 0;
    const event = (data: { type: string }, final = false): StreamEvent =>
      serverSentEvent({ ...data, sequence_number: sequence++ }, { name: data.type, final });
    yield event({ type: 'response.created', ...{ response: responseBody(request, generated, 'in_progress') } });
    for (const [index, item] of generated.items.entries()) {
      for (const { adds, ...data } of itemEvents(item, index)) {
        sent += adds;
        yield event(data);
      }
    }
    const whole = responseBody(request, { ...generated, usage: usage() }, 'completed');
    yield event({ type: 'response.completed', ...{ response: whole } }, true);
  }
  return { events: events(), usage };
}

/** The contract does not define this answer. Its shape is that of the API that the request is modelled on. */
export const responses: Service<ResponsesRequest> = {
  estimate: ({ body }) => ({
    promptTokens: countTokens(promptText(messagesIn(body))),
    completionTokens: Number(body.max_output_tokens ?? UNBOUNDED_TOKENS),
  }),
  async serve(request) {
    const items = await itemsFor(request);
    const output = items.map(({ text }) => text).join('');
    const usage = {
      promptTokens: countTokens(promptText(messagesIn(request.body))),
      completionTokens: output === '' ? 0 : countTokens(output),
    };
    if (request.body.stream === true) return streamItems(request, { items, usage });
    return { body: responseBody(request, { items, usage }, 'completed'), usage };
  },
};

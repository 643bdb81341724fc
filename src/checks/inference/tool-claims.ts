import type { Assertions, Json } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import { claimJson } from './json-claims.ts';

/** A tool call of an answer. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

interface ToolDefinition {
  readonly name?: string;
  readonly parameters?: Json;
}

/** Chats nest the definition in `function`; responses have its fields next to the type. */
type DeclaredTool = ToolDefinition & { readonly function?: ToolDefinition };

/** The fields of a request that are about tools, of either API. */
interface ToolFields {
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
  readonly [field: string]: unknown;
}

const definitionIn = (tool: DeclaredTool): ToolDefinition => tool.function ?? tool;

const definitionOf = ({ tools }: ToolFields, name: string): ToolDefinition | undefined =>
  ((tools ?? []) as readonly DeclaredTool[]).map(definitionIn).find((tool) => tool.name === name);

/** The tool that must be called; `true` for any. */
function demandedTool({ tool_choice: choice }: ToolFields, { toolCall }: Assertions): string | true | undefined {
  if (toolCall !== undefined) return toolCall;
  if (choice === 'required') return true;
  if (typeof choice === 'string') return choice === 'auto' || choice === 'none' ? undefined : choice;
  return choice ? definitionIn(choice as DeclaredTool).name : undefined;
}

/** Claims that tools are called as the request demands, and with arguments that match their schemas. */
export async function claimTools(
  recorder: CheckRecorder,
  calls: readonly ToolCall[],
  { body, expect }: { readonly body: ToolFields; readonly expect: Assertions },
): Promise<void> {
  const names = calls.map(({ name }) => name).join(', ') || 'no call';
  const demanded = demandedTool(body, expect);
  if (demanded === true) recorder.claim('a tool is called', calls.length > 0, names);
  else if (demanded !== undefined)
    recorder.claim(
      `the tool ${demanded} is called`,
      calls.some(({ name }) => name === demanded),
      names,
    );
  if (body.tool_choice === 'none') recorder.claim('no tool is called', calls.length === 0, names);
  for (const call of calls) {
    const known = definitionOf(body, call.name);
    recorder.claim(`the tool that is called is one of the request: ${call.name}`, known !== undefined);
    const text = call.arguments || '{}';
    await claimJson(recorder, { text, what: `the arguments of ${call.name}` }, known?.parameters ?? { type: 'object' });
  }
}

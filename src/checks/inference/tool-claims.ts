import type { Assertions, Json } from '../../domain/index.ts';
import type { Body, CheckRecorder } from '../check-module.ts';
import { claimJson } from './json-claims.ts';

/** A call of a tool, as far as it came. */
export interface Called {
  readonly name: string;
  readonly arguments: string;
}

interface Definition {
  readonly name?: string;
  readonly parameters?: Json;
}

/** In chats a definition stands in a field of its own, in responses beside the type. */
type Named = Definition & { readonly function?: Definition };

const definitionIn = (named: Named): Definition => named.function ?? named;

const definitionOf = ({ tools }: Body, name: string): Definition | undefined =>
  ((tools ?? []) as readonly Named[]).map(definitionIn).find((tool) => tool.name === name);

/** The tool that the request demands; `true`: any. */
function demanded({ tool_choice: choice }: Body, { toolCall }: Assertions): string | true | undefined {
  if (toolCall !== undefined) return toolCall;
  if (choice === 'required') return true;
  if (typeof choice === 'string') return choice === 'auto' || choice === 'none' ? undefined : choice;
  return choice ? definitionIn(choice as Named).name : undefined;
}

/** Tools are called where that was demanded, left alone where it was forbidden, and called in the form they have. */
export function claimTools(
  recorder: CheckRecorder,
  calls: readonly Called[],
  { body, expect }: { readonly body: Body; readonly expect: Assertions },
): void {
  const names = calls.map(({ name }) => name).join(', ') || 'no call';
  const wanted = demanded(body, expect);
  if (wanted === true) recorder.claim('a tool is called', calls.length > 0, names);
  else if (wanted !== undefined)
    recorder.claim(
      `the tool ${wanted} is called`,
      calls.some(({ name }) => name === wanted),
      names,
    );
  if (body.tool_choice === 'none') recorder.claim('no tool is called', calls.length === 0, names);
  for (const call of calls) {
    const known = definitionOf(body, call.name);
    recorder.claim(`the tool that is called is one of the request: ${call.name}`, known !== undefined);
    const text = call.arguments || '{}';
    claimJson(recorder, { text, what: `the arguments of ${call.name}` }, known?.parameters ?? { type: 'object' });
  }
}

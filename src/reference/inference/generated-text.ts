import { answerJson, answerText, callArguments, type TextOrder, UnsatisfiableSchema } from '../../synthetic/index.ts';
import { RequestError } from './request.ts';

/** What is held for a request that does not bound its answer. */
export const UNBOUNDED_TOKENS = 512;

const rethrowUnsatisfiable = (thrown: unknown): never => {
  throw thrown instanceof UnsatisfiableSchema ? new RequestError(thrown.message) : thrown;
};

/** The form that an answer was asked for in; `json_schema` brings its schema along. */
export interface RequestedFormat {
  readonly type?: string | undefined;
  readonly schema?: unknown;
}

/** An answer in the asked form. @throws RequestRefused for a schema that nothing satisfies. */
export async function generateAnswer(format: RequestedFormat | undefined, order: TextOrder): Promise<string> {
  if (format?.type === 'json_object') return JSON.stringify({ answer: answerText(order) });
  if (format?.type !== 'json_schema') return answerText(order);
  return JSON.stringify(await answerJson(format.schema ?? {}, order).catch(rethrowUnsatisfiable));
}

/** The arguments of a function call, as text. @throws RequestRefused for parameters that nothing satisfies. */
export const generateArguments = (parameters: unknown, order: TextOrder): Promise<string> =>
  callArguments(parameters ?? { type: 'object' }, order).catch(rethrowUnsatisfiable);

import { answerJson, answerText, callArguments, type TextSpec, UnsatisfiableSchema } from '../../synthetic/index.ts';
import { RequestError } from './request.ts';

/** The tokens held for a request that does not limit its answer. */
export const UNBOUNDED_TOKENS = 512;

const rethrowUnsatisfiable = (thrown: unknown): never => {
  throw thrown instanceof UnsatisfiableSchema ? new RequestError(thrown.message) : thrown;
};

/** The requested format of an answer; `json_schema` includes a schema. */
export interface RequestedFormat {
  readonly type?: string | undefined;
  readonly schema?: unknown;
}

/** Generates an answer in the requested format. @throws RequestError for a schema that nothing satisfies. */
export async function generateAnswer(format: RequestedFormat | undefined, order: TextSpec): Promise<string> {
  if (format?.type === 'json_object') return JSON.stringify({ answer: answerText(order) });
  if (format?.type !== 'json_schema') return answerText(order);
  return JSON.stringify(await answerJson(format.schema ?? {}, order).catch(rethrowUnsatisfiable));
}

/** Generates the arguments of a function call. @throws RequestError for parameters that nothing satisfies. */
export const generateArguments = (parameters: unknown, order: TextSpec): Promise<string> =>
  callArguments(parameters ?? { type: 'object' }, order).catch(rethrowUnsatisfiable);

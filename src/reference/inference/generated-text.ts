import { answerText, type JsonModel, type TextSpec, UnsatisfiableSchema } from '../../synthetic/index.ts';
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

/** The input of a generated answer, and the model for its JSON. */
export interface AnswerSpec extends TextSpec {
  readonly json: JsonModel;
}

/** Generates an answer in the requested format. @throws RequestError for a schema that nothing satisfies. */
export async function generateAnswer(format: RequestedFormat | undefined, spec: AnswerSpec): Promise<string> {
  if (format?.type === 'json_object') return JSON.stringify({ answer: answerText(spec) });
  if (format?.type !== 'json_schema') return answerText(spec);
  return generateJson(format.schema ?? {}, spec);
}

/** Generates the arguments of a function call. @throws RequestError for parameters that nothing satisfies. */
export const generateArguments = (parameters: unknown, spec: AnswerSpec): Promise<string> =>
  generateJson(parameters ?? { type: 'object' }, spec);

const generateJson = async (schema: unknown, spec: AnswerSpec): Promise<string> =>
  JSON.stringify(await spec.json.generate(schema, spec).catch(rethrowUnsatisfiable));

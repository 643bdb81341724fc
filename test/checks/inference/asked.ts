import type { CheckResult, CheckSpec, Json } from '../../../src/domain/index.ts';

export type Spec = Pick<CheckSpec, 'module'> & Partial<CheckSpec>;

/** The reasons that a check did not pass: the code of a fault, and the claims that do not hold. */
export const whyOf = ({ verdict, findings, code }: CheckResult): readonly string[] => [
  ...(verdict === 'passed' || verdict === 'failed' ? [] : [verdict]),
  ...(code === undefined ? [] : [code]),
  ...findings.filter(({ holds }) => !holds).map(({ claim }) => claim),
];

export const chat: Spec = { module: 'chat', model: 'alpha-chat-1' };
export const stream: Spec = { module: 'chat-stream', model: 'alpha-chat-1' };
export const responses: Spec = { module: 'responses', model: 'alpha-chat-1' };
const responsesStream: Spec = { module: 'responses-stream', model: 'alpha-chat-1' };
export const embeddings: Spec = { module: 'embeddings', model: 'text-embedding-3-small' };
export const native: Spec = { module: 'embeddings-native', model: 'eta-embedding-001' };
export const batch: Spec = { module: 'embeddings-batch', model: 'eta-embedding-001' };
export const count: Spec = { module: 'count-tokens', model: 'alpha-chat-1' };

export const TEXTUAL = [chat, stream, responses, responsesStream];

const isResponses = ({ module }: Spec): boolean => module.startsWith('responses');
export const EMBEDDING = [embeddings, native, batch];
export const EACH = [...TEXTUAL, ...EMBEDDING, count];

/** The spec with more in its request; of responses in the words of that API. */
export const asking = (spec: Spec, request: CheckSpec['request']): Spec => ({ ...spec, request });
export const expecting = (spec: Spec, expect: CheckSpec['expect']): Spec => ({ ...spec, expect });

export const promptFields = (spec: Spec, text: string): { readonly [field: string]: Json } =>
  isResponses(spec) ? { input: text } : { messages: [{ role: 'user', content: text }] };

/** A schema that no sentence satisfies. */
export const PERSON: Json = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
  additionalProperties: false,
};

const WEATHER = {
  name: 'weather_of',
  parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
};

/** Two tools, the second of which has to be called by its name. */
export const tools = (spec: Spec): readonly Json[] =>
  [{ name: 'time_of', parameters: { type: 'object', properties: {} } }, WEATHER].map((tool) =>
    isResponses(spec) ? { type: 'function', ...tool } : { type: 'function', function: tool },
  );

export const schemaFormat = (spec: Spec): { readonly [field: string]: Json } =>
  isResponses(spec)
    ? { text: { format: { type: 'json_schema', name: 'person', schema: PERSON } } }
    : { response_format: { type: 'json_schema', json_schema: { name: 'person', schema: PERSON } } };

export const objectFormat = (spec: Spec): { readonly [field: string]: Json } =>
  isResponses(spec) ? { text: { format: { type: 'json_object' } } } : { response_format: { type: 'json_object' } };

import * as z from 'zod';
import { type AnyFamily, FAMILIES, type FamilyId, INFERENCE_API, renderMediaLimits } from '../../src/wire/index.ts';
import type { GeneratedFiles } from './generated-files.ts';
import { alternativesOf, type JsonSchema, limitsOf, renderLimits } from './limits/bounds.ts';

const NOTICE = '// Generated from src/wire/families by `npm run generate`. Do not edit.';

const FILE_TYPE = `/** A file of a form: its bytes, and the name that it is sent with. */
export interface RequestFile {
  /** The name of the file in the form. */
  readonly name?: string | undefined;
  /** Its content. */
  readonly bytes: Uint8Array;
}
`;

/** The meanings of fields without limits, as the contract states them. */
const MEANINGS: Readonly<Record<string, string>> = {
  stream: 'Sends the response in parts, as it is made.',
  response_format: 'The form of the answer: text, JSON, or JSON that satisfies a schema.',
  stop: 'Stop sequences.',
  seed: 'The random seed.',
  user: 'The identifier of the end user.',
  tools: 'The tools that the model may call.',
  enable_thinking: 'Enables thinking.',
  enable_search: 'Enables web search.',
  search_options: 'The options of web search.',
  search_parameters: 'The parameters of search.',
  input: 'The input of the model.',
  reasoning: 'The mode and the effort of reasoning.',
  content: 'The content to embed.',
  system: 'The system prompt.',
  generationConfig: 'The modalities of the response, and the form of the image.',
  parameters: 'The parameters of the image.',
  prompt: 'The description of what is generated.',
};

/** The types of the bodies. That of a batch is made by the client. */
const NAMES: Readonly<Partial<Record<FamilyId, string>>> = {
  chat: 'ChatBody',
  responses: 'ResponsesBody',
  embeddings: 'EmbeddingsBody',
  'native-embedding': 'NativeEmbeddingBody',
  'token-counting': 'TokenCountBody',
  'native-image': 'NativeImageBody',
  'alpha-image': 'AlphaImageBody',
  'beta-image': 'BetaImageBody',
  'gamma-image': 'GammaImageBody',
  'alpha-edit': 'AlphaEditBody',
  'beta-edit': 'BetaEditBody',
  'epsilon-video': 'EpsilonVideoBody',
  'delta-video': 'DeltaVideoBody',
  'asset-video': 'AssetVideoBody',
  'flat-video': 'FlatVideoBody',
  'nested-video': 'NestedVideoBody',
  'download-video': 'DownloadVideoBody',
  'dedicated-video': 'DedicatedVideoBody',
};

/** Members that only rules and answers know: a conversation with tools needs them, and the usage of a stream. */
const MORE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'chat ': [
    '/** `include_usage`: the last chunk of a stream has the usage. */',
    'readonly stream_options?: { readonly include_usage?: boolean | undefined } | undefined;',
  ],
  'chat messages[]': [
    '/** The calls of tools, in a message of the assistant, as the gateway answered them. */',
    'readonly tool_calls?: readonly Readonly<Record<string, unknown>>[] | undefined;',
    '/** The call that a message of a tool answers. */',
    'readonly tool_call_id?: string | undefined;',
  ],
};

const JSON_OBJECT = 'Readonly<Record<string, unknown>>';

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** A comment in one line, or several. Text of the contract must not end it. */
const commentOf = (texts: readonly string[]): readonly string[] => {
  const lines = texts.filter((text) => text !== '').map((text) => text.replaceAll('*/', '*\\/'));
  if (lines.length === 0) return [];
  return lines.length === 1 ? [`/** ${lines[0]} */`] : ['/**', ...lines.map((line) => ` * ${line}`), ' */'];
};

const capitalized = (text: string): string =>
  /^(where|whether)\b/.test(text) ? `Meaning: ${text}` : text.charAt(0).toUpperCase() + text.slice(1);

/** The limits of a field: those of its schema, of rules, and of files. */
function docOf(family: AnyFamily, path: string, schema: JsonSchema): readonly string[] {
  if (schema.const !== undefined) return [];
  const { rules, media } = family;
  const texts = [
    renderLimits(limitsOf(schema)),
    ...rules.filter(({ field }) => field === path).map(({ limit }) => limit),
    ...media
      .filter(({ field }) => field === path || field === `${path}[]`)
      .map(({ limits }) => renderMediaLimits(limits)),
  ].filter((text) => text !== '');
  const meaning = MEANINGS[path];
  if (texts.length === 0 && meaning !== undefined) return commentOf([meaning]);
  return commentOf(texts.map((text) => `${capitalized(text)}.`.replace(/\.\.$/, '.')));
}

/** The alternatives without the one for kinds that the contract does not show: it would accept every mistake. */
function shownOf(alternatives: readonly JsonSchema[]): readonly JsonSchema[] {
  const isShown = ({ properties }: JsonSchema): boolean => properties?.type?.const !== undefined;
  const isTagged = alternatives.some(isShown);
  return alternatives.filter((each) => !isTagged || each.properties?.type === undefined || isShown(each));
}

function typeOf(family: AnyFamily, path: string, schema: JsonSchema): string {
  const { form, media } = family;
  const isFile = form === 'multipart' && media.some(({ field }) => field === path.replace('[]', ''));
  if (isFile && schema.type !== 'array') return 'RequestFile';
  if (schema.description?.startsWith('JSON Schema')) return JSON_OBJECT;
  if (schema.const !== undefined) return JSON.stringify(schema.const).replace(/^"(.*)"$/, "'$1'");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replace(/^"(.*)"$/, "'$1'")).join(' | ');
  const alternatives = alternativesOf(schema);
  const known = shownOf(alternatives);
  if (known.length > 0)
    return unique(known.map((each) => typeOf(family, path, each))).join(schema.allOf ? ' & ' : ' | ');
  if (schema.type === 'array') return `readonly (${typeOf(family, `${path}[]`, schema.items ?? {})})[]`;
  if (schema.type === 'object') return objectOf(family, path, schema);
  const types = [schema.type].flat().map((type) => (type === 'integer' ? 'number' : (type ?? 'unknown')));
  return types.join(' | ');
}

function objectOf(family: AnyFamily, path: string, schema: JsonSchema): string {
  const members = membersOf(family, path, schema);
  if (members.length > 0) return `{\n${indented(members).join('\n')}\n}`;
  const { additionalProperties: others } = schema;
  if (typeof others !== 'object' || Object.keys(others).length === 0) return JSON_OBJECT;
  return `Readonly<Record<string, ${typeOf(family, `${path}.<name>`, others)}>>`;
}

function membersOf(family: AnyFamily, path: string, { properties = {}, required = [] }: JsonSchema): readonly string[] {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const field = path === '' ? name : `${path}.${name}`;
    // A field that must never be sent is not a member.
    if (schema.not !== undefined && Object.keys(schema.not).length === 0) return [];
    const optional = required.includes(name) ? [': ', ''] : ['?: ', ' | undefined'];
    const type = `readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${optional[0]}${typeOf(family, field, schema)}${optional[1]};`;
    return [...docOf(family, field, schema), ...type.split('\n')];
  });
  return [...members, ...(MORE_MEMBERS[`${family.id} ${path}`] ?? [])];
}

const modelsOf = ({ models }: AnyFamily): string => {
  if (models === undefined) return '';
  const known = models.known.map((name) => `\`${name}\``).join(', ');
  return `Models: ${known}${models.prefix === undefined ? '' : `, and others that begin with \`${models.prefix}\``}.`;
};

function declarationOf(family: AnyFamily, name: string): string {
  const schema = z.toJSONSchema(family.body, { unrepresentable: 'any', io: 'input' }) as JsonSchema;
  const { method, path } = INFERENCE_API[family.endpoint];
  const whole = family.rules.filter(({ field }) => field === '').map(({ limit }) => `${capitalized(limit)}.`);
  const doc = commentOf([`${family.title}: \`${method} ${path}\` of the contract.`, modelsOf(family), ...whole]);
  return [...doc, `export interface ${name} {`, ...indented(membersOf(family, '', schema)), '}'].join('\n');
}

/** Writes src/gateway/gen/request-bodies.ts: the types of requests, with the limits of each field, from the families. */
export const generateRequestBodies = (files: GeneratedFiles): void => {
  const declarations = FAMILIES.flatMap((family: AnyFamily) => {
    const name = NAMES[family.id];
    return name === undefined ? [] : [declarationOf(family, name)];
  });
  files.settle('src/gateway/gen/request-bodies.ts', `${[NOTICE, FILE_TYPE.trim(), ...declarations].join('\n\n')}\n`);
};

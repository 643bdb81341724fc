import {
  CHECK_MODULES,
  type CheckModule,
  type Expectations,
  tryParseDecimal,
  tryParseDuration,
} from '../../domain/index.ts';
import { type NumberValue, numberText, type Value } from '../codec/value.ts';
import type { Attribute, AttributeTable, Problem } from '../provider/schema.ts';

const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();

export const isModule = (value: Value): value is CheckModule => MODULES.includes(String(value));

export const LEDGER = 'keyplane.tasks.jsonl';

const LONGEST_S = 24 * 3600;

type Judge = (value: Value) => readonly Problem[];

const unless =
  (holds: (value: Value) => boolean, summary: string): Judge =>
  (value) =>
    holds(value) ? [] : [{ summary }];

const isCount = (value: Value): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const isAmount = (value: Value): boolean => (tryParseDecimal(numberText(value as NumberValue))?.digits ?? -1n) >= 0n;

const isPattern = (value: Value): boolean => {
  try {
    return new RegExp(String(value), 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

const isJsonObject = (value: Value): boolean => {
  try {
    const parsed: unknown = JSON.parse(String(value));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
};

const optional = (type: 'string' | 'number' | 'bool', description: string, check?: Judge): Attribute => ({
  type,
  set: 'optional',
  description,
  ...(check ? { check } : {}),
});

const count = (description: string): Attribute =>
  optional('number', description, unless(isCount, 'A whole number above 0 is wanted'));

const amount = (description: string): Attribute =>
  optional('number', description, unless(isAmount, 'An amount of dollars is not below 0'));

const jsonObject = (description: string): Attribute =>
  optional('string', description, unless(isJsonObject, 'It is not a JSON object: `jsonencode({ … })` writes one'));

interface Expectation {
  readonly as: keyof Expectations;
  readonly attribute: Attribute;
}

/** What an answer can be expected to be, by the name that it has here. */
export const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  contains: {
    as: 'contains',
    attribute: { type: ['list', 'string'], set: 'optional', description: 'Texts that the answer holds, all of them.' },
  },
  matches: {
    as: 'matches',
    attribute: optional(
      'string',
      'A regular expression (of JavaScript, with the flag `u`) that the answer matches.',
      unless(isPattern, 'It is no regular expression'),
    ),
  },
  json_schema: {
    as: 'jsonSchema',
    attribute: jsonObject('The answer is JSON that satisfies this JSON Schema: `jsonencode({ … })`.'),
  },
  tool_call: { as: 'toolCall', attribute: optional('string', 'The tool that the answer calls.') },
  dimensions: { as: 'dimensions', attribute: count('Numbers in each vector.') },
  min_dimensions: { as: 'minDimensions', attribute: count('At least so many numbers in each vector.') },
  min_input_tokens: { as: 'minInputTokens', attribute: count('At least so many tokens are counted.') },
  max_input_tokens: { as: 'maxInputTokens', attribute: count('At most so many tokens are counted.') },
  count: { as: 'count', attribute: count('Pictures in the answer.') },
  format: { as: 'format', attribute: optional('string', '`png`, `jpeg` or `webp`; of a video `mp4`.') },
  width: { as: 'width', attribute: count('Pixels.') },
  height: { as: 'height', attribute: count('Pixels.') },
  min_width: { as: 'minWidth', attribute: count('Pixels, at least.') },
  min_height: { as: 'minHeight', attribute: count('Pixels, at least.') },
  seconds: {
    as: 'seconds',
    attribute: optional('number', 'Seconds that the video takes, to the nearest.'),
  },
  audio: { as: 'audio', attribute: optional('bool', 'Has the video sound?') },
  max_latency_ms: { as: 'maxLatencyMs', attribute: count('Milliseconds until the answer is whole.') },
  max_first_byte_ms: { as: 'maxFirstByteMs', attribute: count('Milliseconds until the answer begins.') },
  max_cost_usd: { as: 'maxCost', attribute: amount('Dollars that the usage log may tell for it.') },
};

const isShortEnough = (value: Value): boolean => {
  const seconds = tryParseDuration(String(value));
  return seconds !== undefined && seconds > 0 && seconds <= LONGEST_S;
};

/** What is to be proven of which key: the same for whoever reads it and for whoever does it. */
export const CHECK_ARGUMENTS: AttributeTable = {
  key_id: {
    type: 'number',
    set: 'required',
    description: 'Id of the key that is proven. Its credential is used in memory and stored nowhere.',
  },
  module: {
    type: 'string',
    set: 'required',
    description: `What is asked of the gateway: ${MODULES.map((module) => `\`${module}\``).join(', ')}.`,
    check: (value) =>
      isModule(value) ? [] : [{ summary: 'There is no such module', detail: `Modules: ${MODULES.join(', ')}.` }],
  },
  model: optional('string', 'The model that is asked; one of the key’s own unless given.'),
  family: optional('string', 'How a video model is asked whose name does not tell.'),
  request: jsonObject(
    'Fields of the request by the gateway’s own names, laid over those that the module sends: `jsonencode({ … })`.',
  ),
  expect: {
    nesting: 'single',
    set: 'optional',
    description: 'What the answer must be, beyond what its request already asks for.',
    attributes: Object.fromEntries(Object.entries(EXPECTATIONS).map(([name, { attribute }]) => [name, attribute])),
  },
  costly: optional('bool', 'Has to be true for media, which are paid for each time.'),
  max_cost_usd: amount('Nothing is sent when it might cost more dollars than this, as far as the usage log tells.'),
  timeout: optional(
    'string',
    'Time for the answer, such as `30s`; as long as the module thinks right unless given.',
    unless(isShortEnough, 'A length of time like `30s` or `10m` is wanted, a day at most'),
  ),
  ledger: optional(
    'string',
    `File in which paid video tasks are written down, so that none is ever paid twice: what was submitted and not seen
the end of is looked at again. \`${LEDGER}\` in the working directory unless given.`.replace('\n', ' '),
  ),
};

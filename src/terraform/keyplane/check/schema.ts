import {
  CHECK_MODULES,
  type CheckModule,
  type Expectations,
  TERRAFORM_EXPECTATIONS,
  tryParseDecimal,
  tryParseDuration,
} from '../../../domain/index.ts';
import { isUnknown, type NumberValue, numberText, type ObjectValue, type Value } from '../../codec/value.ts';
import type { Attribute, AttributeTable, Problem } from '../../provider/schema.ts';

const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();

export const isModule = (value: Value): value is CheckModule => MODULES.includes(String(value));

export const LEDGER = 'keyplane.tasks.jsonl';

const LONGEST_S = 24 * 3600;
const MOST_RETRIES = 5;
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp', 'mp4'];

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

/** What an answer can be expected to be: every expectation that there is. */
const EXPECTATIONS: Readonly<Record<keyof Expectations, Attribute>> = {
  contains: { type: ['list', 'string'], set: 'optional', description: 'Texts that the answer holds, all of them.' },
  matches: optional(
    'string',
    'A regular expression (of JavaScript, with the flag `u`) that the answer matches.',
    unless(isPattern, 'It is no regular expression'),
  ),
  jsonSchema: jsonObject('The answer is JSON that satisfies this JSON Schema: `jsonencode({ … })`.'),
  toolCall: optional('string', 'The tool that the answer calls.'),
  dimensions: count('Numbers in each vector.'),
  minDimensions: count('At least so many numbers in each vector.'),
  minInputTokens: count('At least so many tokens are counted.'),
  maxInputTokens: count('At most so many tokens are counted.'),
  count: count('Pictures in the answer.'),
  format: optional(
    'string',
    '`png`, `jpeg` or `webp`; of a video `mp4`.',
    unless((value) => FORMATS.includes(String(value)), `It is none of ${FORMATS.join(', ')}`),
  ),
  width: count('Pixels.'),
  height: count('Pixels.'),
  minWidth: count('Pixels, at least.'),
  minHeight: count('Pixels, at least.'),
  seconds: optional(
    'number',
    'Seconds that the video takes, to the nearest.',
    unless(
      (value) => isAmount(value) && Number(numberText(value as NumberValue)) > 0,
      'More than no seconds are wanted',
    ),
  ),
  audio: optional('bool', 'Has the video sound?'),
  maxLatencyMs: count('Milliseconds until the answer is whole.'),
  maxFirstByteMs: count('Milliseconds until the answer begins.'),
  maxCost: amount('Dollars that the usage log may tell for it.'),
};

/** The expectations, by the names of attributes that they have here. */
export const EXPECTATION_OF: ReadonlyMap<string, keyof Expectations> = new Map(
  Object.entries(TERRAFORM_EXPECTATIONS).map(([expectation, name]) => [name, expectation as keyof Expectations]),
);

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
    attributes: Object.fromEntries([...EXPECTATION_OF].map(([name, expectation]) => [name, EXPECTATIONS[expectation]])),
  },
  costly: optional('bool', 'Has to be true for media, which are paid for each time.'),
  max_cost_usd: amount('Nothing is sent when it might cost more dollars than this, as far as the usage log tells.'),
  timeout: optional(
    'string',
    'Time for the answer, such as `30s`; as long as the module thinks right unless given.',
    unless(isShortEnough, 'A length of time like `30s` or `10m` is wanted, a day at most'),
  ),
  retries: optional(
    'number',
    `How often it is tried again when it fails, ${MOST_RETRIES} times at the most; a video never is.`,
    unless(
      (value) => value === 0 || (isCount(value) && Number(value) <= MOST_RETRIES),
      `A whole number from 0 to ${MOST_RETRIES} is wanted`,
    ),
  ),
  ledger: optional(
    'string',
    'File in which paid video tasks are written down, so that none is paid for twice: what was submitted and not seen ' +
      `the end of is looked at again. \`${LEDGER}\` in the working directory unless given: keep it for the next run.`,
  ),
};

/** What is paid for each time is meant by saying so. */
export function costlyProblems({ module = null, costly = null }: ObjectValue): readonly Problem[] {
  const isPaid = (CHECK_MODULES.media as readonly Value[]).includes(module);
  if (!isPaid || costly === true || isUnknown(costly)) return [];
  const detail = 'Each time that it runs it is paid for. Where that is meant, set `costly = true`.';
  return [{ summary: `The check ${module} is costly`, detail, path: ['costly'] }];
}

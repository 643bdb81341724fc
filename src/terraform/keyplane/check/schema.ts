import {
  ASSERTION_KINDS,
  ASSERTION_NAMES,
  ASSERTIONS,
  type AssertionKind,
  type AssertionName,
  type Assertions,
  CHECK_MODULES,
  type CheckModule,
  readAssertions,
  tryParseDuration,
} from '../../../domain/index.ts';
import {
  isUnknown,
  type NumberValue,
  numberText,
  type ObjectValue,
  type Value,
  type ValueType,
} from '../../codec/value.ts';
import type { DiagnosticContent } from '../../provider/diagnostics.ts';
import type { Attribute, AttributeTable } from '../../provider/schema.ts';

const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();

export const isModule = (value: Value): value is CheckModule => MODULES.includes(String(value));

export const LEDGER = 'keyplane.tasks.jsonl';

const LONGEST_S = 24 * 3600;
const MOST_RETRIES = 5;

type Judge = (value: Value) => readonly DiagnosticContent[];

const unless =
  (holds: (value: Value) => boolean, summary: string): Judge =>
  (value) =>
    holds(value) ? [] : [{ summary }];

const isCount = (value: Value): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const isAmount = (value: Value): boolean => ASSERTION_KINDS.usd.parse(numberText(value as NumberValue)) !== undefined;

function tryParseJson(value: Value): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

const isJsonObject = (value: Value): boolean => ASSERTION_KINDS.jsonSchema.parse(tryParseJson(value)) !== undefined;

const optional = (type: 'string' | 'number' | 'bool', description: string, check?: Judge): Attribute => ({
  type,
  set: 'optional',
  description,
  ...(check ? { check } : {}),
});

const amount = (description: string): Attribute =>
  optional('number', description, unless(isAmount, 'An amount of dollars is not below 0'));

const jsonObject = (description: string): Attribute =>
  optional('string', description, unless(isJsonObject, 'It is not a JSON object: `jsonencode({ … })` writes one'));

/** A kind of assertion as Terraform has it: the type of its attribute, and what the kind reads from its value. */
interface KindAttribute {
  readonly type: ValueType;
  /** Ends the description. */
  readonly note?: string;
  readonly decode: (value: Value) => unknown;
}

const asText = { type: 'string', decode: (value) => value } as const satisfies KindAttribute;
const asNumber = {
  type: 'number',
  decode: (value) => numberText(value as NumberValue),
} as const satisfies KindAttribute;

const KINDS: Readonly<Record<AssertionKind, KindAttribute>> = {
  text: asText,
  // An element that is not known yet is judged when it is.
  texts: {
    type: ['list', 'string'],
    decode: (value) => (value as readonly Value[]).filter((item) => !isUnknown(item)),
  },
  pattern: { ...asText, note: ' JavaScript syntax, with the flag `u`.' },
  jsonSchema: { type: 'string', note: ' Write it with `jsonencode({ … })`.', decode: tryParseJson },
  count: asNumber,
  seconds: asNumber,
  flag: { type: 'bool', decode: (value) => value },
  mediaFormat: asText,
  usd: asNumber,
};

function assertionAttribute(name: AssertionName): Attribute {
  const { kind, doc } = ASSERTIONS[name];
  const { type, note = '', decode } = KINDS[kind];
  const { expected, parse } = ASSERTION_KINDS[kind];
  const check = unless((value) => parse(decode(value)) !== undefined, `Expected ${expected}`);
  return { type, set: 'optional', description: `${doc}${note}`, check };
}

/** Reads a valid `expect`. */
export const decodeAssertions = (expect: ObjectValue): Assertions =>
  readAssertions(
    ASSERTION_NAMES.flatMap((name): (readonly [AssertionName, unknown])[] => {
      const { kind, terraform } = ASSERTIONS[name];
      const value = expect[terraform] ?? null;
      return value === null ? [] : [[name, KINDS[kind].decode(value)]];
    }),
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
    attributes: Object.fromEntries(
      ASSERTION_NAMES.map((name) => [ASSERTIONS[name].terraform, assertionAttribute(name)]),
    ),
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
export function costlyProblems({ module = null, costly = null }: ObjectValue): readonly DiagnosticContent[] {
  const isPaid = (CHECK_MODULES.media as readonly Value[]).includes(module);
  if (!isPaid || costly === true || isUnknown(costly)) return [];
  const detail = 'Each time that it runs it is paid for. Where that is meant, set `costly = true`.';
  return [{ summary: `The check ${module} is costly`, detail, path: ['costly'] }];
}

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
  isObject,
  isUnknown,
  numberText,
  type TerraformNumber,
  type TerraformObject,
  type TerraformValue,
  type ValueType,
} from '../../codec/value.ts';
import type { DiagnosticContent } from '../../provider/diagnostics.ts';
import type { Attribute, AttributeTable } from '../../provider/schema.ts';
import { idErrors } from '../find-key.ts';

const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();

export const isModule = (value: TerraformValue): value is CheckModule => MODULES.includes(String(value));

export const LEDGER = 'keyplane.tasks.jsonl';

const MAX_TIMEOUT_S = 24 * 3600;
const MAX_RETRIES = 5;

type Check = (value: TerraformValue) => readonly DiagnosticContent[];

const unless =
  (holds: (value: TerraformValue) => boolean, summary: string): Check =>
  (value) =>
    holds(value) ? [] : [{ summary }];

const isCount = (value: TerraformValue): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const isAmount = (value: TerraformValue): boolean =>
  ASSERTION_KINDS.usd.parse(numberText(value as TerraformNumber)) !== undefined;

function tryParseJson(value: TerraformValue): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

const isJsonObject = (value: TerraformValue): boolean =>
  ASSERTION_KINDS.jsonSchema.parse(tryParseJson(value)) !== undefined;

const optional = (type: 'string' | 'number' | 'bool', description: string, check?: Check): Attribute => ({
  type,
  set: 'optional',
  description,
  ...(check ? { check } : {}),
});

const amount = (description: string): Attribute =>
  optional('number', description, unless(isAmount, 'Expected an amount of dollars of 0 or more'));

const jsonObject = (description: string): Attribute =>
  optional('string', description, unless(isJsonObject, 'Expected a JSON object; write it with `jsonencode({ … })`'));

/** A kind of assertion as Terraform has it: the type of its attribute, and the input for the kind’s parser. */
interface KindAttribute {
  readonly type: ValueType;
  /** Ends the description. */
  readonly note?: string;
  readonly decode: (value: TerraformValue) => unknown;
}

const asText = { type: 'string', decode: (value) => value } as const satisfies KindAttribute;
const asNumber = {
  type: 'number',
  decode: (value) => numberText(value as TerraformNumber),
} as const satisfies KindAttribute;

const KINDS: Readonly<Record<AssertionKind, KindAttribute>> = {
  text: asText,
  // Elements that are not known yet are validated once they are.
  texts: {
    type: ['list', 'string'],
    decode: (value) => (value as readonly TerraformValue[]).filter((item) => !isUnknown(item)),
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
export const decodeAssertions = (expect: TerraformObject): Assertions =>
  readAssertions(
    ASSERTION_NAMES.flatMap((name): (readonly [AssertionName, unknown])[] => {
      const { kind, terraform } = ASSERTIONS[name];
      const value = expect[terraform] ?? null;
      return value === null ? [] : [[name, KINDS[kind].decode(value)]];
    }),
  );

const isShortEnough = (value: TerraformValue): boolean => {
  const seconds = tryParseDuration(String(value));
  return seconds !== undefined && seconds > 0 && seconds <= MAX_TIMEOUT_S;
};

const NO_ASSERTION: DiagnosticContent = {
  summary: '`expect` has no assertion',
  detail: 'Remove the block, or add an assertion.',
};

/** The arguments of a check, the same for the data source and for the action. */
export const CHECK_ARGUMENTS: AttributeTable = {
  key_id: {
    type: 'number',
    set: 'required',
    description: 'ID of the key to check. Its credential is only used in memory and never stored.',
    check: idErrors,
  },
  module: {
    type: 'string',
    set: 'required',
    description: `The request to send: ${MODULES.map((module) => `\`${module}\``).join(', ')}.`,
    check: (value) =>
      isModule(value) ? [] : [{ summary: 'Unknown module', detail: `Expected one of ${MODULES.join(', ')}.` }],
  },
  model: optional('string', 'The model to use. Default: one of the key’s own.'),
  family: optional('string', 'The family of a video model whose name does not identify it.'),
  request: jsonObject(
    'Fields of the request, under the gateway’s own names. They override those that the module sends: `jsonencode({ … })`.',
  ),
  expect: {
    nesting: 'single',
    isBlock: true,
    set: 'optional',
    description: 'Assertions about the response, in addition to those that follow from its request, at least one.',
    check: (value) => (isObject(value) && Object.values(value).every((part) => part === null) ? [NO_ASSERTION] : []),
    attributes: Object.fromEntries(
      ASSERTION_NAMES.map((name) => [ASSERTIONS[name].terraform, assertionAttribute(name)]),
    ),
  },
  costly: optional('bool', 'Must be true for media, which cost money at every run.'),
  max_cost_usd: amount('Sends nothing if the check might cost more dollars than this, according to the usage log.'),
  timeout: optional(
    'string',
    'Time limit for the response, such as `30s`. The default depends on the module.',
    unless(isShortEnough, 'Expected a duration such as `30s` or `10m`, at most a day'),
  ),
  retries: optional(
    'number',
    `Number of retries after a failure, at most ${MAX_RETRIES}. Videos are never retried.`,
    unless(
      (value) => value === 0 || (isCount(value) && Number(value) <= MAX_RETRIES),
      `Expected a whole number from 0 to ${MAX_RETRIES}`,
    ),
  ),
  ledger: optional(
    'string',
    'File that records paid video tasks, so that no task is paid for twice: a later run resumes tasks that were submitted ' +
      `but have not finished. Default: \`${LEDGER}\` in the working directory. Keep it for the next run.`,
  ),
};

/** Requires `costly = true` for modules that cost money at every run. */
export function costlyErrors({ module = null, costly = null }: TerraformObject): readonly DiagnosticContent[] {
  const isPaid = (CHECK_MODULES.media as readonly TerraformValue[]).includes(module);
  if (!isPaid || costly === true || isUnknown(costly)) return [];
  const detail = 'It costs money at every run. To allow that, set `costly = true`.';
  return [{ summary: `The check ${module} is costly`, detail, path: ['costly'] }];
}

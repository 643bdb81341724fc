import type { ProfileName } from '../../../../../src/reference/index.ts';
import type { Transition } from '../cells.ts';
import { CAN_BE_SET, CANNOT_BE_SET, NEVER_CHANGES, NO_ELEMENTS, none } from '../expected.ts';
import { isBlockOf, type ReadCell, titleOf } from './cells.ts';
import type { ReadRun, ReadStep } from './run.ts';

/** The outcomes of reading, with what a step must show. */
interface ReadOutcome {
  readonly means: string;
  /** The command that rejects the configuration. */
  readonly isRejected?: true;
  /** The read waits for the apply. */
  readonly isDeferred?: true;
  /** The second result must differ from the first: as a whole, or in the attribute. */
  readonly changes?: 'result' | 'attribute';
}

const TABLE = {
  read: { means: 'The result is what the gateway has.' },
  'read by it': {
    means: 'The result is what the gateway has for the value, and another one when the configuration changes.',
    changes: 'result',
  },
  'read at the apply': {
    means: 'The plan defers the read to the apply, whose result is what the gateway has for the value.',
    isDeferred: true,
    changes: 'result',
  },
  'read again': {
    means: 'The next read returns what somebody changed at the gateway.',
    changes: 'attribute',
  },
  'read otherwise': {
    means: 'As “read again”: the value selects something else, or something that has changed.',
    changes: 'result',
  },
  'read without': { means: 'The next read does without it.', changes: 'result' },
  invoked: {
    means: 'The apply invokes it. It ends as the data source with the same arguments does.',
  },
  error: { means: '`validate` rejects the configuration.', isRejected: true },
} as const satisfies Readonly<Record<string, ReadOutcome>>;

export type ReadOutcomeName = keyof typeof TABLE;
export const READ_OUTCOMES: Readonly<Record<ReadOutcomeName, ReadOutcome>> = TABLE;

export type ReadExpected = ReadOutcomeName | { readonly none: string };

const NOT_THERE = none('It is not at the gateway.');
const BY_OPERATOR = none('Only the operator of the gateway changes it.');
const NOT_REPORTED = none('This gateway does not report it: it is null.');
const LAST_MINUTE = none('It counts the last minute.');
const NO_STATE = none('An action has no state.');
const NO_QUERY_VALUES = none('A query has no values that are unknown.');

/** Attributes that nothing at the gateway changes, by reader. All others change. */
const STILL: Readonly<Record<string, Readonly<Record<string, ReadExpected>>>> = {
  'data keyplane_account': {
    user_id: NEVER_CHANGES,
    username: BY_OPERATOR,
    group: BY_OPERATOR,
    quota_per_unit: BY_OPERATOR,
  },
  'data keyplane_groups': { groups: BY_OPERATOR },
  'data keyplane_api_key': { masked_key: NEVER_CHANGES, created_at: NEVER_CHANGES },
  'data keyplane_api_key_secret': { secret: NEVER_CHANGES },
  'ephemeral keyplane_api_key_secret': { secret: NEVER_CHANGES },
  'data keyplane_usage': { rpm: LAST_MINUTE, tpm: LAST_MINUTE },
};

const OF_THE_KEY = ['key_id', 'model'];

/** Attributes that gateways of a profile do not report. */
const UNREPORTED: Readonly<Record<string, readonly string[]>> = {
  contract: ['used_quota'],
  deployed: ['smart_routing_tiers'],
};

function driftOf({ reader, attribute, setter, schema }: ReadCell, profile: ProfileName): ReadExpected {
  const title = titleOf(reader);
  if (UNREPORTED[profile]?.includes(attribute)) return NOT_REPORTED;
  if (attribute === 'timeouts') return NOT_THERE;
  const still = STILL[title]?.[attribute];
  if (still !== undefined) return still;
  if (setter === 'computed') return 'read again';
  if (title === 'data keyplane_check' && !OF_THE_KEY.includes(attribute)) return NOT_THERE;
  return schema.set === 'required' || setter.startsWith('optional') ? 'read otherwise' : NOT_THERE;
}

function nullElementOf({ attribute, schema }: ReadCell): ReadExpected {
  if (attribute === 'expect') return 'error';
  return 'nesting' in schema ? 'read' : NO_ELEMENTS;
}

function argumentOutcome(cell: ReadCell, profile: ProfileName): ReadExpected {
  const { reader, attribute, transition, setter } = cell;
  const isRequired = setter === 'required';
  const outcomes: Partial<Record<Transition, ReadExpected>> = {
    set: 'read by it',
    omit: isRequired ? 'error' : 'read',
    null: isRequired ? 'error' : 'read',
    'null element': nullElementOf(cell),
    unknown: reader.kind === 'list' ? NO_QUERY_VALUES : 'read at the apply',
    'read-only': CAN_BE_SET,
    drift: driftOf(cell, profile),
    remove: isRequired ? 'error' : 'read without',
  };
  if (transition === 'null' && isBlockOf(reader, attribute)) return none('It is a block: see “omitted”.');
  return outcomes[transition] as ReadExpected;
}

/** All arguments of actions can be set. */
function actionOutcome(cell: ReadCell): ReadExpected {
  if (cell.transition === 'drift' || cell.transition === 'remove') return NO_STATE;
  const expected = argumentOutcome(cell, 'deployed');
  return typeof expected !== 'string' || expected === 'error' ? expected : 'invoked';
}

const READ_ONLY: Partial<Record<Transition, ReadExpected>> = {
  set: CANNOT_BE_SET,
  omit: 'read',
  null: 'read',
  'null element': CANNOT_BE_SET,
  unknown: 'error',
  'read-only': 'error',
  remove: CANNOT_BE_SET,
};

export function readExpectedOf(cell: ReadCell, profile: ProfileName): ReadExpected {
  if (cell.reader.kind === 'action') return actionOutcome(cell);
  if (cell.setter !== 'computed') return argumentOutcome(cell, profile);
  return READ_ONLY[cell.transition] ?? driftOf(cell, profile);
}

/** Parts that are null are the same as parts that are omitted. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).flatMap(([name, part]) => (part === null ? [] : [[name, withoutNulls(part)]]));
  return Object.fromEntries(parts.sort(([a], [b]) => String(a).localeCompare(String(b))));
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(withoutNulls(one ?? null)) === JSON.stringify(withoutNulls(other ?? null));

/** The message of a check has more than its verdict. */
const isMessageOf = (text: unknown, verdict: unknown): boolean => String(text).includes(`: ${String(verdict)}`);

/** Is the result, as a whole, what the gateway has? */
function isAsRequired({ result, required }: ReadStep): boolean {
  const { message, ...rest } = result;
  const { message: verdict, ...others } = required;
  return isSame(rest, others) && (verdict === undefined || isMessageOf(message, verdict));
}

const REJECTED =
  /^`\w+(\.\w+)?` (cannot be set: read-only|must not be null|must not contain null)$|^Missing required argument$/;

/** Does the run of a cell agree with an outcome? */
export function isReadOutcome(name: ReadOutcomeName, cell: ReadCell, run: ReadRun): boolean {
  const { isRejected = false, isDeferred = false, changes } = READ_OUTCOMES[name];
  if ('errors' in run) return isRejected && run.errors.length === 1 && run.errors.every((each) => REJECTED.test(each));
  const [first, second] = run.steps;
  if (isRejected || run.steps.some((step) => step.isDeferred !== isDeferred || !isAsRequired(step))) return false;
  if (changes === 'attribute') return !isSame(first.result[cell.attribute], second.result[cell.attribute]);
  return changes === undefined || !isSame(first.result, second.result);
}

/** A run that does not agree with its outcome: errors, or the attributes that are not as required. */
export function differencesOf(run: ReadRun): object {
  if ('errors' in run) return run;
  return run.steps.map(({ isDeferred, result, required }) => {
    const names = Object.keys({ ...result, ...required }).filter((name) => !isSame(result[name], required[name]));
    return { isDeferred, ...Object.fromEntries(names.map((name) => [name, [result[name], required[name]]])) };
  });
}

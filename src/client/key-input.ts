import {
  type BudgetInput,
  type Ceiling,
  type Decimal,
  type DeclaredInputs,
  type DeclaredKind,
  type DeclaredValues,
  type Diagnostic,
  declaredNameProblem,
  Fault,
  type FieldRow,
  initialCeiling,
  KEY_FIELDS,
  type ManagedFields,
  parseValue,
} from '../domain/index.ts';

/** The amount that a key may spend from now on: dollars, exact to the last digit, or quota units of the gateway. */
export type SpendingLimit = 'unlimited' | { readonly usd: number | string } | { readonly quota: number };

/** The settings of a key that a program may set. An omitted one keeps its value; on a new key it has the gateway’s default. */
export interface KeyPatch {
  /** 1 to 50 characters, and at most 50 UTF-8 bytes. */
  readonly name?: string;
  /** One of the account’s groups. */
  readonly group?: string;
  /** Retry failed requests in other groups. Only applies to automatic groups. */
  readonly crossGroupRetry?: boolean;
  /** Model IDs that the key may use; null or `any` lifts the restriction. Never empty: the key could be used for nothing. */
  readonly models?: readonly string[] | 'any' | null;
  /** IP addresses and canonical CIDR ranges that may use the key; null or `anywhere` lifts the restriction. */
  readonly allowIps?: readonly string[] | 'anywhere' | null;
  /** A date, or text with its offset such as `2027-03-31T00:00:00Z`; null or `never`: no expiry. */
  readonly expires?: Date | string | null;
  /** The amount that the key may spend from now on, whatever it has spent before. */
  readonly remaining?: SpendingLimit;
}

/** A key to create. */
export interface KeyToCreate extends KeyPatch {
  readonly name: string;
  /** Required, because a key that spends without a limit is rarely meant. */
  readonly remaining: SpendingLimit;
  /** False: the key is disabled as soon as it is located. Defaults to true. */
  readonly enabled?: boolean;
}

const textOfDate = (date: Date): string => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString());

function invalid(field: string, problem: string, diagnostics: readonly Diagnostic[] = []): Fault {
  return new Fault('request.invalid', `\`${field}\`: ${problem}`, {
    hint: 'Nothing was sent.',
    detail: { field, ...(diagnostics.length > 0 ? { diagnostics } : {}) },
  });
}

const render = ({ message, expected, hint }: Diagnostic): string =>
  [message, expected && `Expected ${expected}.`, hint].filter(Boolean).join(' ');

/** A type of values, for programs that no compiler has checked. */
interface InputForm {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TEXT: InputForm = { expected: 'a string', accepts: isText };
const FLAG: InputForm = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
const listOr = (word: string): InputForm => ({
  expected: `a list of strings, '${word}' or null`,
  accepts: (value) => value === word || value === null || (Array.isArray(value) && value.every(isText)),
});

const PATCH_FORMS: { readonly [field in keyof KeyPatch]-?: InputForm } = {
  name: TEXT,
  remaining: {
    expected: "{ usd } or { quota }, with nothing else, or 'unlimited'",
    accepts: (value) => value === 'unlimited' || (isObject(value) && Object.keys(value).length === 1),
  },
  group: TEXT,
  crossGroupRetry: FLAG,
  models: listOr('any'),
  allowIps: listOr('anywhere'),
  expires: {
    expected: 'a Date, a string or null',
    accepts: (value) => value === null || isText(value) || value instanceof Date,
  },
};

const NEW_FORMS: { readonly [field in keyof KeyToCreate]-?: InputForm } = { ...PATCH_FORMS, enabled: FLAG };

/** A patch whose values are valid, in normal form. */
export interface ParsedPatch {
  readonly fields: ManagedFields;
  readonly allowance: BudgetInput | undefined;
}

/** @throws Fault `request.invalid` */
function checkForms(patch: object, forms: Readonly<Record<string, InputForm>>): void {
  if (!isObject(patch)) throw invalid('key', 'Expected an object.');
  for (const [field, value] of Object.entries(patch)) {
    const form = Object.hasOwn(forms, field) ? forms[field] : undefined;
    if (form === undefined) {
      const other = field === 'enabled' ? ' Use `keys.enable` or `keys.disable`.' : '';
      throw invalid(field, `there is no such setting. It is one of ${Object.keys(forms).join(', ')}.${other}`);
    }
    if (value !== undefined && !form.accepts(value)) throw invalid(field, `Expected ${form.expected}.`);
  }
}

/** @throws Fault `request.invalid` */
export function parseNewKey(key: KeyToCreate): ParsedPatch {
  checkForms(key, NEW_FORMS);
  const { enabled: _, ...patch } = key;
  if (patch.name === undefined) throw invalid('name', 'Expected a string.');
  return parsePatch(patch);
}

/** @throws Fault `request.invalid` */
export function parsePatch(patch: KeyPatch): ParsedPatch {
  checkForms(patch, PATCH_FORMS);
  const problem = patch.name === undefined ? undefined : declaredNameProblem(patch.name);
  if (problem !== undefined) throw invalid('name', `${problem}.`);
  return { fields: fieldsOf(patch), allowance: patch.remaining && allowanceOf(patch.remaining) };
}

/** The declared fields, by the one judgement that every language has; null stands for the word that lifts a restriction. */
function fieldsOf({ group, crossGroupRetry, models, allowIps, expires }: KeyPatch): ManagedFields {
  const { group: groupRow, models: modelsRow, allowIps: allowIpsRow, expires: expiresRow } = KEY_FIELDS;
  const instant = expires instanceof Date ? textOfDate(expires) : expires === 'never' ? null : expires;
  return {
    ...(group === undefined ? {} : { group: parsedValue('group', groupRow, group) }),
    ...(crossGroupRetry === undefined ? {} : { crossGroupRetry }),
    ...(models === undefined ? {} : { models: parsedValue('models', modelsRow, models === 'any' ? null : models) }),
    ...(allowIps === undefined
      ? {}
      : { allowIps: parsedValue('allowIps', allowIpsRow, allowIps === 'anywhere' ? null : allowIps) }),
    ...(instant === undefined ? {} : { expires: parsedValue('expires', expiresRow, instant) }),
  };
}

function parsedValue<K extends DeclaredKind>(
  field: string,
  row: FieldRow & { readonly kind: K },
  input: DeclaredInputs[K] | null,
): DeclaredValues[K] {
  const { value, diagnostics } = parseValue(row, input);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (value !== undefined && first === undefined) return value;
  throw invalid(field, first ? render(first) : 'is not a value.', errors);
}

function allowanceOf(remaining: SpendingLimit): BudgetInput {
  if (remaining === 'unlimited') return { unlimited: true };
  return 'usd' in remaining
    ? { usd: String(remaining.usd), initial: true }
    : { quota: String(remaining.quota), initial: true };
}

/** Converts an allowance at the gateway’s rate. @throws Fault `request.invalid`, `plan.amount-too-small`, `plan.amount-too-large` */
export function ceilingOf(allowance: BudgetInput, quotaPerUnit: Decimal): Ceiling {
  const { value, diagnostics } = parseValue(KEY_FIELDS.budget, allowance);
  const [first] = diagnostics;
  if (value === undefined) throw invalid('remaining', first ? render(first) : 'is not an amount.', diagnostics);
  return initialCeiling(value, quotaPerUnit);
}

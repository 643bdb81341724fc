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

const KNOWN: ReadonlySet<string> = new Set([
  'name',
  'enabled',
  'remaining',
  'group',
  'crossGroupRetry',
  'models',
  'allowIps',
  'expires',
]);

/** A patch whose values are valid, in normal form. */
export interface ParsedPatch {
  readonly fields: ManagedFields;
  readonly allowance: BudgetInput | undefined;
}

/** @throws Fault `request.invalid` */
export function parsePatch(patch: KeyPatch): ParsedPatch {
  const unknown = Object.keys(patch).find((field) => !KNOWN.has(field));
  if (unknown !== undefined) throw invalid(unknown, `a key has no such setting. It has ${[...KNOWN].join(', ')}.`);
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

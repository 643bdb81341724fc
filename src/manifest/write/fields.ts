import {
  type Budget,
  type BudgetAmount,
  type DeclaredKind,
  type DeclaredValues,
  type DesiredKey,
  FIELD_ROWS,
  type FieldName,
  type FieldRow,
  LIFETIME,
  renderDecimal,
  renderWindow,
} from '../../domain/index.ts';

/** The notation of values in a language: one codec for each kind, and the word that lifts a restriction. */
export interface FieldCodec<T> {
  readonly kinds: { readonly [K in DeclaredKind]: (value: NonNullable<DeclaredValues[K]>) => T };
  readonly word: (word: string, row: FieldRow) => T;
}

/** Writes the declared fields of a key, in the order of the table. */
export function writeFields<T>(
  desired: DesiredKey,
  { kinds, word }: FieldCodec<T>,
): readonly (readonly [FieldName, T])[] {
  return FIELD_ROWS.flatMap(([field, row]) => {
    const value = desired[field];
    if (value === undefined) return [];
    const write = kinds[row.kind] as (given: typeof value) => T;
    return [[field, value === null ? word(row.unrestricted ?? '', row) : write(value)] as const];
  });
}

type BudgetPart<T> = readonly [name: string, value: T];

/** The notation of the parts of a budget in a language. */
export interface BudgetCodec<T> {
  readonly usd: (digits: string) => T;
  readonly quota: (units: number) => T;
  readonly text: (text: string) => T;
  readonly flag: (value: boolean) => T;
  readonly object: (...parts: readonly BudgetPart<T>[]) => T;
  /** The language requires every budget to state when it refills. */
  readonly statesLifetime?: true;
}

const amountPart = <T>(amount: BudgetAmount, { usd, quota }: BudgetCodec<T>): BudgetPart<T> =>
  'usd' in amount ? ['usd', usd(renderDecimal(amount.usd))] : ['quota', quota(amount.quota)];

/** Writes a limited budget in one of its forms. */
export function writeLimit<T>(budget: Exclude<Budget, { kind: 'unlimited' }>, codec: BudgetCodec<T>): T {
  const amount = amountPart(budget.amount, codec);
  switch (budget.kind) {
    case 'lifetime':
      return codec.statesLifetime ? codec.object(amount, ['per', codec.text(LIFETIME)]) : codec.object(amount);
    case 'initial':
      return codec.object(amount, ['initial', codec.flag(true)]);
    case 'window':
      return codec.object(amount, ['per', codec.text(renderWindow(budget.per))]);
    case 'top-up':
      return codec.object(amount, ['below', codec.object(amountPart(budget.below, codec))]);
  }
}

import type { describeRows } from './rows.ts';

type Row = Parameters<typeof describeRows>[1][number];

export type Accepted = Row['accepts'][number];
export type Rejected = Row['refuses'][number];

/** A row that several families share: each adds its own family and base. */
export type SharedRow = Pick<Row, 'title' | 'accepts' | 'refuses'>;

/** A case for each of these values, of which there is at least one. */
export const every = <Value, Case>(values: readonly Value[], of: (value: Value) => Case) =>
  values.map(of) as [Case, ...Case[]];

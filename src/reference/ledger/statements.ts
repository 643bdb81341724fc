export type DatabaseRow = Readonly<Record<string, unknown>>;
export type Binding = number | string | null | Uint8Array;

/** The statements of one connection. Each has completed when its method returns. */
export interface Statements {
  rows(sql: string, bindings?: readonly Binding[]): readonly DatabaseRow[];
  row(sql: string, bindings?: readonly Binding[]): DatabaseRow | undefined;
  run(sql: string, bindings?: readonly Binding[]): { changes: number; id: number };
  /** Executes a statement that returns and binds nothing. */
  exec(sql: string): void;
}

/** The driver silently cuts a text off at a NUL, and would report that it stored all of it. */
export function rejectNul(bindings: readonly Binding[]): readonly Binding[] {
  if (bindings.some((value) => typeof value === 'string' && value.includes('\0')))
    throw new RangeError('a text with a NUL cannot be stored');
  return bindings;
}

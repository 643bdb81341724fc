import { Fault } from '../../domain/index.ts';

/** The headings under which the help lists the flags that many commands have. Those of one command come under “Options”. */
export type FlagGroup = 'Manifest' | 'Gateway' | 'Selection' | 'Usage log' | 'Permissions' | 'Locking' | 'Output';

/** One flag of a command, as data: parsing, help, the documentation and the completions derive from it. */
export interface Option {
  /** Long name without dashes. */
  readonly flag: string;
  readonly short?: string;
  /** Placeholder of its value; absent: the flag takes none. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  readonly summary: string;
  /** Absent: “Options”. */
  readonly group?: FlagGroup;
  /** The environment variable that is read when the flag is omitted. */
  readonly variable?: string;
  /** The completions that shells offer for its value. With `choices`, the value may be one of them or a JSON file. */
  readonly completes?: 'file';
  /** Its value names what the command writes: it is tested before the gateway is asked anything. */
  readonly output?: 'file' | 'folder';
}

export interface Argument {
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  readonly variadic?: true;
  readonly choices?: readonly string[];
  readonly completes?: 'file';
}

/** The flags that were given, by long name: `true` without value, else the texts in the order given. */
export type GivenFlags = ReadonlyMap<string, true | readonly string[]>;

export const has = (given: GivenFlags, flag: string): boolean => given.has(flag);

export const texts = (given: GivenFlags, flag: string): readonly string[] => {
  const value = given.get(flag);
  return value === undefined || value === true ? [] : value;
};

/** An output that a command line names. */
export interface NamedOutput {
  readonly flag: string;
  readonly output: NonNullable<Option['output']>;
  readonly value: string;
}

/** The outputs that a command line names, in the order of the command's options. */
export const namedOutputs = (options: readonly Option[], given: GivenFlags): readonly NamedOutput[] =>
  options.flatMap(({ flag, output }) =>
    output === undefined ? [] : texts(given, flag).map((value) => ({ flag, output, value })),
  );

/** The last one given wins. */
export const text = (given: GivenFlags, flag: string): string | undefined => texts(given, flag).at(-1);

/** @throws Fault `usage.invalid` when it is not a whole number of at least `least`. */
export function count(given: GivenFlags, flag: string, least = 0): number | undefined {
  const value = text(given, flag);
  return value === undefined ? undefined : parseCount(value, `--${flag}`, least);
}

/** @throws Fault `usage.invalid` */
export function parseCount(value: string, what: string, least = 0): number {
  const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least) return number;
  throw new Fault(
    'usage.invalid',
    `Invalid value ${JSON.stringify(value)} for ${what}: expected a whole number of at least ${least}.`,
  );
}

import type { ObjectValue, Value, ValueType } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';
import type { Schema } from './schema.ts';

/** What is said to people: where it is about a field, at that field. */
export interface Remark {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail?: string;
  readonly path?: readonly Step[];
}

/** Ends a call with these errors. */
export class Refused extends Error {
  readonly remarks: readonly Remark[];

  constructor(...remarks: readonly Omit<Remark, 'severity'>[]) {
    super(remarks.map(({ summary }) => summary).join('; '));
    this.remarks = remarks.map((remark) => ({ severity: 'error', ...remark }));
  }
}

/** What a call has beside what it is asked. */
export interface Surroundings<C> {
  readonly client: C;
  readonly signal: AbortSignal;
  readonly warn: (remark: Omit<Remark, 'severity'>) => void;
}

/** Something that is read and not managed. */
export interface DataSource<C> {
  readonly schema: Schema;
  /** @throws Refused, Fault */
  read(config: ObjectValue, around: Surroundings<C>): Promise<ObjectValue>;
}

export interface Parameter {
  readonly name: string;
  readonly type: ValueType;
  /** Markdown. */
  readonly description: string;
}

/** A function of the language: the same arguments give the same value, and nobody is asked. */
export interface FunctionDefinition {
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly variadic?: Parameter;
  readonly returns: ValueType;
  /** @throws BadArgument */
  call(...args: readonly Value[]): Value;
}

export class BadArgument extends Error {
  /** From 0. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** A provider, without a word of how it is spoken to. */
export interface Provider<C> {
  readonly schema: Schema;
  /** Undefined: what it needs is not known yet, which a plan has to bear. @throws Refused */
  configure(config: ObjectValue, signal: AbortSignal): Promise<C | undefined>;
  readonly dataSources: { readonly [typeName: string]: DataSource<C> };
  readonly functions: { readonly [name: string]: FunctionDefinition };
}

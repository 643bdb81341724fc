import type { ObjectValue, Value, ValueType } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';
import type { IdentitySchema, Schema } from './schema.ts';

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

/** What core keeps of an object; nobody is shown what is private. */
export interface Kept {
  readonly state: ObjectValue;
  /** JSON. */
  readonly private?: Readonly<Record<string, unknown>>;
}

/** What is asked for, beside what there is. */
export interface Planning {
  /** Undefined: it is to be made. */
  readonly prior: Kept | undefined;
  /** As people wrote it: null where they wrote nothing. */
  readonly config: ObjectValue;
  /** What follows from the schema alone: defaults filled in, computed ones unknown or as they were. */
  readonly planned: ObjectValue;
}

/** How a write ended. What is kept although there are errors is half-made: core replaces it. */
export interface Written {
  readonly kept?: Kept;
  readonly remarks: readonly Remark[];
}

/** An object of an older schema, or of another provider, as it stands in a state: JSON text. */
export interface Stored {
  readonly version: number;
  readonly text: string;
}

export interface Foreign extends Stored {
  readonly providerAddress: string;
  readonly typeName: string;
}

/** Something that is made, changed and deleted. */
export interface Resource<C> {
  readonly schema: Schema;
  readonly identity: IdentitySchema;
  /** Undefined while it has none. */
  identityOf(state: ObjectValue, client: C): ObjectValue | undefined;
  /** Undefined: it is gone. @throws Refused, Fault */
  read(kept: Kept, around: Surroundings<C>): Promise<Kept | undefined>;
  /** `client` is undefined while the provider’s own configuration is unknown. @throws Refused, Fault */
  plan(planning: Planning, around: Surroundings<C | undefined>): Promise<ObjectValue>;
  create(planning: Planning, around: Surroundings<C>): Promise<Written>;
  update(planning: Planning & { readonly prior: Kept }, around: Surroundings<C>): Promise<Written>;
  /** @throws Refused, Fault: it is still there */
  delete(prior: Kept, around: Surroundings<C>): Promise<void>;
  /** By what people write after its address, or by identity. @throws Refused, Fault */
  import(by: string | ObjectValue, around: Surroundings<C>): Promise<Kept>;
  /** An older state as JSON text that the schema reads. @throws Refused */
  upgrade(stored: Stored): string;
  /** Undefined: nothing is known of such objects. @throws Refused */
  move?(from: Foreign): Kept | undefined;
}

/** Something that is opened for one run, and stored nowhere. */
export interface Ephemeral<C> {
  readonly schema: Schema;
  /** @throws Refused, Fault */
  open(config: ObjectValue, around: Surroundings<C>): Promise<ObjectValue>;
}

/** One object that was found. */
export interface Found {
  readonly name: string;
  readonly identity: ObjectValue;
  /** As it would be imported; asked for only where it is wanted. */
  state(): Promise<ObjectValue>;
}

/** A way to find what could be managed. */
export interface Listing<C> {
  /** What narrows the search. */
  readonly schema: Schema;
  /** @throws Refused, Fault */
  find(config: ObjectValue, around: Surroundings<C>): AsyncIterable<Found>;
}

/** Something that is done, and leaves nothing to manage. */
export interface Action<C> {
  readonly schema: Schema;
  /** Gives lines of progress. @throws Refused, Fault */
  invoke(config: ObjectValue, around: Surroundings<C>): AsyncIterable<string>;
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

type Table<T> = { readonly [typeName: string]: T };

/** A provider, without a word of how it is spoken to. */
export interface Provider<C> {
  readonly schema: Schema;
  /** Undefined: what it needs is not known yet, which a plan has to bear. @throws Refused */
  configure(config: ObjectValue, signal: AbortSignal): Promise<C | undefined>;
  readonly resources: Table<Resource<C>>;
  readonly dataSources: Table<DataSource<C>>;
  readonly ephemerals: Table<Ephemeral<C>>;
  /** By the type of what is found. */
  readonly listings: Table<Listing<C>>;
  readonly actions: Table<Action<C>>;
  readonly functions: Table<FunctionDefinition>;
}

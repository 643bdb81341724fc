import type { TerraformObject, TerraformValue, ValueType } from '../codec/value.ts';
import { type DiagnosticContent, DiagnosticError, type ProtocolDiagnostic } from './diagnostics.ts';
import type { IdentitySchema, Schema } from './schema.ts';

/** The client, the abort signal and the warnings of one call. */
export interface OperationContext<C> {
  readonly client: C;
  readonly signal: AbortSignal;
  readonly warn: (warning: DiagnosticContent) => void;
}

/** Something that is read and not managed. */
export interface DataSource<C> {
  readonly schema: Schema;
  /** @throws DiagnosticError, Fault */
  read(config: TerraformObject, context: OperationContext<C>): Promise<TerraformObject>;
}

/** One managed object as core keeps it. Core shows nobody its private data. */
export interface ResourceInstance {
  readonly state: TerraformObject;
  /** JSON. */
  readonly private?: Readonly<Record<string, unknown>>;
}

/** The configuration of a resource next to what exists. */
export interface ProposedChange {
  /** Undefined for a resource that is to be created. */
  readonly prior: ResourceInstance | undefined;
  /** The user’s configuration, in which omitted attributes are null. */
  readonly config: TerraformObject;
  /** The values that follow from the schema alone: defaults filled in, computed values unknown or unchanged. */
  readonly planned: TerraformObject;
}

/** The result of a write. An instance that comes with errors is half-made: core replaces it. */
export interface WriteResult {
  readonly instance?: ResourceInstance;
  readonly diagnostics: readonly ProtocolDiagnostic[];
}

/** Ends a delete that did nothing, because the object is not as the plan shows it. */
export class ChangedSincePlan extends DiagnosticError {
  /** The object as it is, for the state: the next plan shows it, whichever order core refreshes and plans in. */
  readonly instance: ResourceInstance;

  constructor(instance: ResourceInstance, error: DiagnosticContent) {
    super(error);
    this.instance = instance;
  }
}

/** A stored state of an older schema, as JSON text. */
export interface RawState {
  readonly version: number;
  readonly text: string;
}

/** A stored state of another provider’s resource. */
export interface ForeignState extends RawState {
  readonly providerAddress: string;
  readonly typeName: string;
}

/** Something that is created, changed and deleted. */
export interface Resource<C> {
  readonly schema: Schema;
  readonly identity: IdentitySchema;
  /** Undefined while it has none. */
  identityOf(state: TerraformObject, client: C): TerraformObject | undefined;
  /** Finds a part of a stored instance that no version of the provider can have written: its name and what is wrong. */
  damageOf?(stored: ResourceInstance): string | undefined;
  /** Undefined when it no longer exists. @throws DiagnosticError, Fault */
  read(instance: ResourceInstance, context: OperationContext<C>): Promise<ResourceInstance | undefined>;
  /** `client` is undefined while the provider’s own configuration is unknown. @throws DiagnosticError, Fault */
  plan(change: ProposedChange, context: OperationContext<C | undefined>): Promise<TerraformObject>;
  /** Called for each object that a plan deletes and does not replace. @throws DiagnosticError, Fault */
  planDelete?(prior: ResourceInstance, context: OperationContext<C | undefined>): Promise<void>;
  create(change: ProposedChange, context: OperationContext<C>): Promise<WriteResult>;
  update(
    change: ProposedChange & { readonly prior: ResourceInstance },
    context: OperationContext<C>,
  ): Promise<WriteResult>;
  /** @throws DiagnosticError, ChangedSincePlan, Fault when it still exists */
  delete(prior: ResourceInstance, context: OperationContext<C>): Promise<void>;
  /** By the import ID, or by identity. @throws DiagnosticError, Fault */
  import(by: string | TerraformObject, context: OperationContext<C>): Promise<ResourceInstance>;
  /** Converts an older state to JSON text that the schema reads. @throws DiagnosticError */
  upgrade(stored: RawState): string;
  /** Undefined for types that it does not know. @throws DiagnosticError */
  move?(from: ForeignState): ResourceInstance | undefined;
}

/** Something that is opened for one run, and stored nowhere. */
export interface Ephemeral<C> {
  readonly schema: Schema;
  /** @throws DiagnosticError, Fault */
  open(config: TerraformObject, context: OperationContext<C>): Promise<TerraformObject>;
}

/** One object that a list resource found. */
export interface ListResult {
  readonly name: string;
  readonly identity: TerraformObject;
  /** The state that an import would give; computed only when core asks for it. */
  state(): Promise<TerraformObject>;
}

/** A way to find objects that could be managed. */
export interface ListResource<C> {
  /** The arguments that narrow the search. */
  readonly schema: Schema;
  /** @throws DiagnosticError, Fault */
  find(config: TerraformObject, context: OperationContext<C>): AsyncIterable<ListResult>;
}

/** Something that is done, and leaves nothing to manage. */
export interface Action<C> {
  readonly schema: Schema;
  /** Yields lines of progress. @throws DiagnosticError, Fault */
  invoke(config: TerraformObject, context: OperationContext<C>): AsyncIterable<string>;
}

export interface Parameter {
  readonly name: string;
  readonly type: ValueType;
  /** Markdown. */
  readonly description: string;
}

/** A pure function of the language: it asks no gateway. */
export interface FunctionDefinition {
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly variadic?: Parameter;
  readonly returns: ValueType;
  /** @throws ArgumentError */
  call(...args: readonly TerraformValue[]): TerraformValue;
}

export class ArgumentError extends Error {
  /** Counted from 0. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

type ByTypeName<T> = { readonly [typeName: string]: T };

/** A provider, independent of the protocol. */
export interface Provider<C> {
  readonly schema: Schema;
  /** Returns the errors of a valid configuration that its schema cannot find, such as a missing file. Sends no request. */
  validate?(config: TerraformObject): Promise<readonly ProtocolDiagnostic[]>;
  /** Undefined while the configuration is unknown, which a plan must tolerate. @throws DiagnosticError */
  configure(config: TerraformObject, signal: AbortSignal): Promise<C | undefined>;
  /** Removes the secrets of a client from a text that somebody else wrote. Omitted: it has none. */
  readonly mask?: (text: string, client: C) => string;
  /**
   * Determines whether an earlier process of the same run of core has shown the text of a warning: core plans again right before it
   * applies, and shows the warnings of both.
   */
  readonly isShown?: (text: string) => Promise<boolean>;
  readonly resources: ByTypeName<Resource<C>>;
  readonly dataSources: ByTypeName<DataSource<C>>;
  readonly ephemerals: ByTypeName<Ephemeral<C>>;
  /** Keyed by the type of the objects that they find. */
  readonly listResources: ByTypeName<ListResource<C>>;
  readonly actions: ByTypeName<Action<C>>;
  readonly functions: ByTypeName<FunctionDefinition>;
}

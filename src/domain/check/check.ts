import type { Diagnostic, DiagnosticPath, Place } from '../diagnostic.ts';
import type { Json } from '../kinds/json.ts';
import type { AssertionName, Assertions } from './assertions.ts';

/** The check modules, by kind. */
export const CHECK_MODULES = {
  inference: [
    'chat',
    'chat-stream',
    'responses',
    'responses-stream',
    'embeddings',
    'embeddings-native',
    'embeddings-batch',
    'count-tokens',
  ],
  media: ['image', 'image-edit', 'image-edit-stream', 'image-stream', 'video'],
  enforcement: ['model-list', 'forbidden-model', 'forbidden-address', 'disabled-key', 'expired-key', 'exhausted-key'],
  bypass: ['spoofed-address'],
} as const;

export type CheckKind = keyof typeof CHECK_MODULES;
export type CheckModule = (typeof CHECK_MODULES)[CheckKind][number];

/** The module of every check that a program defines. */
export const CUSTOM_MODULE = 'custom';
export type CustomModule = typeof CUSTOM_MODULE;

/** Classes of cost, from the cheapest: also the order in which checks run. */
export const CHECK_CLASSES = ['free', 'cheap', 'costly'] as const;
export type CheckClass = (typeof CHECK_CLASSES)[number];

/** Returns undefined for a check that a program defines: it is of no kind. */
export const kindOfModule = <M extends CheckModule | CustomModule>(module: M): KindOf<M> =>
  (Object.keys(CHECK_MODULES) as CheckKind[]).find((kind) =>
    (CHECK_MODULES[kind] as readonly string[]).includes(module),
  ) as KindOf<M>;

type KindOf<M> = CheckKind | (CustomModule extends M ? undefined : never);

/** The kinds of modules whose requests must be rejected: they cost something only where a gateway accepts them. */
const REJECTED_KINDS: readonly (CheckKind | undefined)[] = ['enforcement', 'bypass'];

export const mustBeRejected = (module: CheckModule | CustomModule): boolean =>
  REJECTED_KINDS.includes(kindOfModule(module));

/** One named check, as a manifest defines it. */
export interface CheckSpec {
  readonly name: string;
  readonly module: CheckModule;
  /** Default: one of the key's own models that the module can ask. */
  readonly model?: string;
  /** A family of the contract, for a model whose name does not reveal it. */
  readonly family?: string;
  /** Fields of the request, as the contract names them, merged into the defaults of the module. */
  readonly request: { readonly [field: string]: Json };
  readonly expect: Assertions;
  /** Number of retries. */
  readonly retries: number;
  /** For one attempt. Default: that of the module. */
  readonly timeoutMs?: number;
  /** Default: that of the module. */
  readonly schedule?: CheckClass;
  /** Values of the request from the environment or a file, which no report shows. */
  readonly hidden?: readonly string[];
  /** The folder that paths in the request are relative to. */
  readonly folder: string;
  /** Paths may lead out of the folder: the definition comes from a trusted configuration, not from a manifest. */
  readonly trustsPaths?: true;
  /** The place of the definition. Absent for a module that is selected without one. */
  readonly place?: Place;
}

/** A check that can run: of a module, or defined by a program. */
export interface RunnableCheck extends Omit<CheckSpec, 'module'> {
  readonly module: CheckModule | CustomModule;
}

/** Creates the check that a module is without a definition. */
export const bareCheck = (module: CheckModule): CheckSpec => ({
  name: module,
  module,
  request: {},
  expect: {},
  retries: 0,
  folder: '.',
});

const isModule = (word: string): word is CheckModule =>
  Object.values(CHECK_MODULES)
    .flat()
    .includes(word as never);

/**
 * Returns the checks that a word of a selection names; undefined for a kind or a class, which stands for all checks that
 * belong to it.
 */
export function checksMeant<C extends RunnableCheck = CheckSpec>(
  word: string,
  defined: readonly C[],
): readonly (C | CheckSpec)[] | undefined {
  const named = defined.find(({ name }) => name === word);
  if (named) return [named];
  if (!isModule(word)) return undefined;
  const ofModule = defined.filter(({ module }) => module === word);
  return ofModule.length > 0 ? ofModule : [bareCheck(word)];
}

/** A mistake in a definition, found before anything is sent. The message is a sentence without its subject, the field. */
export interface CheckDiagnostic extends Diagnostic {
  readonly code: 'manifest.invalid-check';
  /** Leads to the field: `['request', 'size']`, `['expect', 'width']`. */
  readonly path: DiagnosticPath;
  /** The assertions that the module supports. */
  readonly data?: { readonly supported: readonly AssertionName[] };
}

/** Creates the diagnostic of one field. @param supported the assertions that the module supports */
export const checkError = (
  path: DiagnosticPath,
  message: string,
  supported?: readonly AssertionName[],
): CheckDiagnostic => ({
  severity: 'error',
  code: 'manifest.invalid-check',
  path,
  message,
  ...(supported === undefined ? {} : { data: { supported } }),
});

/** Renders the message of a check's diagnostic. @param nameOf names an assertion in the language of the reader */
export const renderCheckMessage = (
  { message, data }: CheckDiagnostic,
  nameOf: (name: AssertionName) => string = String,
): string => (data === undefined ? message : `${message}; it supports ${data.supported.map(nameOf).join(', ')}`);

import type { Place } from '../diagnostic.ts';
import type { Json } from '../kinds/json.ts';
import type { Assertions } from './assertions.ts';

/** What can be proven of a key, by kind. */
export const CHECK_MODULES = {
  inference: [
    'chat',
    'chat-stream',
    'responses',
    'embeddings',
    'embeddings-native',
    'embeddings-batch',
    'count-tokens',
  ],
  media: ['image', 'image-edit', 'image-stream', 'video'],
  enforcement: ['model-list', 'forbidden-model', 'forbidden-address', 'disabled-key', 'expired-key', 'exhausted-key'],
} as const;

export type CheckKind = keyof typeof CHECK_MODULES;
export type CheckModule = (typeof CHECK_MODULES)[CheckKind][number];

/** What a check costs, from the least: also the order in which they run. */
export const CHECK_CLASSES = ['free', 'cheap', 'costly'] as const;
export type CheckClass = (typeof CHECK_CLASSES)[number];

export const kindOfModule = (module: CheckModule): CheckKind =>
  (Object.keys(CHECK_MODULES) as CheckKind[]).find((kind) =>
    (CHECK_MODULES[kind] as readonly string[]).includes(module),
  ) as CheckKind;

/** One named check, as a manifest defines it. */
export interface CheckSpec {
  readonly name: string;
  readonly module: CheckModule;
  /** Absent: one of the key's own models that the module can ask. */
  readonly model?: string;
  /** For a model whose name does not tell how it is asked: a family of the contract. */
  readonly family?: string;
  /** Fields of the request, as the contract names them, laid over those that the module sends by itself. */
  readonly request: { readonly [field: string]: Json };
  readonly expect: Assertions;
  /** How often more it is tried when it fails. */
  readonly retries: number;
  /** For one attempt; absent: as long as the module thinks right. */
  readonly timeoutMs?: number;
  /** Absent: what the module usually costs. */
  readonly schedule?: CheckClass;
  /** Values of the request that came from the environment or a file: no report shows them. */
  readonly hidden?: readonly string[];
  /** What paths of files in the request are relative to. */
  readonly folder: string;
  /** Where it is defined; absent: a module that was selected without a definition. */
  readonly place?: Place;
}

/** A module by itself is a check: all of its fields are defaults. */
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
 * The checks that a word of a selection names; undefined when it is a kind or a class, which means whatever belongs to
 * it at the time.
 */
export function checksMeant(word: string, defined: readonly CheckSpec[]): readonly CheckSpec[] | undefined {
  const named = defined.find(({ name }) => name === word);
  if (named) return [named];
  if (!isModule(word)) return undefined;
  const ofModule = defined.filter(({ module }) => module === word);
  return ofModule.length > 0 ? ofModule : [bareCheck(word)];
}

/** What is wrong with a definition before anything is sent. `path` leads to the field: `request.size`, `expect.width`. */
export interface CheckIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

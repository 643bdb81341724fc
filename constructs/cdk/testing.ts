import { AnnotationMetadataEntryType, type App, TerraformStack, Testing } from 'cdktf';
import type { IConstruct } from 'constructs';
import { NOW } from './clock.ts';
import { type KeyAttributes, synthesizedBlocks } from './stack/synthesized.ts';

/** A key as Terraform reads it. */
export interface SynthesizedKey {
  /** Path of the resource’s construct. */
  readonly path: string;
  /** Its name; empty where the provider generates it. */
  readonly name: string;
  /** All attributes, by the provider’s names; values that Terraform fills in have its notation. */
  readonly attributes: KeyAttributes;
}

const stacksOf = (scope: IConstruct): readonly TerraformStack[] =>
  scope.node.findAll().filter((node) => TerraformStack.isStack(node));

function annotated(stack: TerraformStack): readonly string[] {
  return stack.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === AnnotationMetadataEntryType.ERROR)
        .map(({ data }) => `[${node.path}] ${data}`),
    );
}

/** The lines of a failed validation, without the headline. */
function linesOf(error: unknown): readonly string[] {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('['));
}

function validationErrors(stack: TerraformStack): readonly string[] {
  try {
    Testing.synth(stack, true);
    return [];
  } catch (error) {
    const lines = linesOf(error);
    if (lines.length === 0) throw error;
    return lines;
  }
}

/** Moves an error to its construct: a stack reports `[stack] stack/Key: …` for `[stack/Key]`. */
function atItsConstruct(line: string, paths: readonly string[]): string {
  const [, text = ''] = /^\[[^\]]*\] (.*)$/s.exec(line) ?? [];
  const path = paths.find((each) => text.startsWith(`${each}: `));
  return path === undefined ? line : `[${path}] ${text.slice(path.length + 2)}`;
}

/** Helpers for the tests of an app, with any test runner. They write no output; the CDK creates an empty temporary folder. */
export const KeyplaneTesting = {
  /** An app for tests. @param now a time with its offset: for expiries and rotations */
  app(now = '2027-01-01T00:00:00Z'): App {
    return Testing.app({ context: { [NOW]: now } });
  },

  /** The keys below an app or a stack. Does not run aspects: see `problems`. */
  keys(scope: IConstruct): readonly SynthesizedKey[] {
    return stacksOf(scope)
      .flatMap((stack) => synthesizedBlocks(stack).keys)
      .map(({ path, attributes }) => ({ path, name: String(attributes.name ?? ''), attributes }));
  },

  /** The one key of that name. @throws Error when there is none */
  key(scope: IConstruct, name: string): SynthesizedKey {
    const keys = KeyplaneTesting.keys(scope);
    const found = keys.find((key) => key.name === name);
    if (found) return found;
    throw new Error(`There is no key ${JSON.stringify(name)}: there are ${keys.map((key) => key.name).join(', ')}`);
  },

  /** All errors that stop the synthesis of the app, each with the path of its construct. */
  problems(scope: IConstruct): readonly string[] {
    const paths = scope.node.root.node
      .findAll()
      .map(({ node }) => node.path)
      .filter((path) => path !== '');
    const lines = stacksOf(scope).flatMap((stack) => [...validationErrors(stack), ...annotated(stack)]);
    return [...new Set(lines.map((line) => atItsConstruct(line, paths)))];
  },
};

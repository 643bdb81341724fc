import { AnnotationMetadataEntryType, type App, TerraformStack, Testing } from 'cdktf';
import type { IConstruct } from 'constructs';
import { NOW } from './clock.ts';
import { type KeyAttributes, writtenIn } from './stack/synthesized.ts';

/** A key as it will be given to Terraform. */
export interface SynthesizedKey {
  /** Path of the resource’s construct. */
  readonly path: string;
  /** Its name, where it is known. */
  readonly name: string;
  /** All attributes, as the provider calls them; what Terraform fills in stands there in its notation. */
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

/** The lines of a failed validation: the first only says that there are any. */
function linesOf(error: unknown): readonly string[] {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('['));
}

function refusals(stack: TerraformStack): readonly string[] {
  try {
    Testing.synth(stack, true);
    return [];
  } catch (error) {
    const lines = linesOf(error);
    if (lines.length === 0) throw error;
    return lines;
  }
}

/** A stack tells what is wrong with its constructs, with their paths: `[stack] stack/Key: …` is about `[stack/Key]`. */
function atItsConstruct(line: string, paths: readonly string[]): string {
  const [, said = ''] = /^\[[^\]]*\] (.*)$/s.exec(line) ?? [];
  const path = paths.find((each) => said.startsWith(`${each}: `));
  return path === undefined ? line : `[${path}] ${said.slice(path.length + 2)}`;
}

/** For the tests of an app, with any test runner. No output is written; the CDK makes an empty folder for temporary files. */
export const KeyplaneTesting = {
  /** An app for tests. @param now a time with its offset: expiries and rotations are judged by it */
  app(now = '2027-01-01T00:00:00Z'): App {
    return Testing.app({ context: { [NOW]: now } });
  },

  /** The keys below an app or a stack. Aspects are not run: see `problems`. */
  keys(scope: IConstruct): readonly SynthesizedKey[] {
    return stacksOf(scope)
      .flatMap((stack) => writtenIn(stack).keys)
      .map(({ path, attributes }) => ({ path, name: String(attributes.name), attributes }));
  },

  /** The one key of that name. @throws Error when there is none */
  key(scope: IConstruct, name: string): SynthesizedKey {
    const keys = KeyplaneTesting.keys(scope);
    const found = keys.find((key) => key.name === name);
    if (found) return found;
    throw new Error(`There is no key ${JSON.stringify(name)}: there are ${keys.map((key) => key.name).join(', ')}`);
  },

  /** All that stops the app from being synthesized, each with the path of its construct; empty when nothing does. */
  problems(scope: IConstruct): readonly string[] {
    const paths = scope.node.root.node
      .findAll()
      .map(({ node }) => node.path)
      .filter((path) => path !== '');
    const told = stacksOf(scope).flatMap((stack) => [...refusals(stack), ...annotated(stack)]);
    return [...new Set(told.map((line) => atItsConstruct(line, paths)))];
  },
};

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { blankCredentials, parseShallowJson } from '../../domain/index.ts';
import {
  displayName,
  type FileContext,
  MOST_BYTES,
  quoted,
  readBoundedText,
  reportUnreadable,
} from '../../source/index.ts';
import { isTerraformJson, type ModulePath, modulePaths } from './folder.ts';

/** The file in which a CDK for Terraform lists its stacks. */
export const STACKS_FILE = 'manifest.json';

type UncheckedObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is UncheckedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the stacks by name; undefined when the folder is not the output of a CDK. */
export async function tryReadStacks(folder: string): Promise<UncheckedObject | undefined> {
  try {
    const json: unknown = parseShallowJson(await readBoundedText(join(folder, STACKS_FILE), MOST_BYTES.terraformJson));
    return isObject(json) && isObject(json.stacks) && json.keys === undefined ? json.stacks : undefined;
  } catch {
    // A manifest of Keyplane may have this name: its own reader reports what is wrong with it.
    return undefined;
  }
}

interface CdkOutput extends FileContext {
  readonly folder: string;
}

const placeOf = ({ folder, cwd }: CdkOutput) => ({
  file: displayName(join(folder, STACKS_FILE), cwd),
  line: 1,
  column: 1,
});

function refusePath(name: string, path: unknown, output: CdkOutput): void {
  const isHcl = typeof path === 'string' && path.endsWith('.tf');
  output.report.problem({
    code: 'terraform.not-supported',
    at: placeOf(output),
    message: `Keyplane cannot read the stack ${quoted(name)} at this path.`,
    found: typeof path === 'string' ? quoted(path) : 'no path',
    expected: 'a `*.tf.json` file in this folder',
    hint: isHcl ? 'Synthesize JSON: remove `hclOutput`.' : 'Synthesize it again.',
  });
}

const LEVELS: ReadonlyMap<string, 'error' | 'warning'> = new Map([
  ['error', 'error'],
  ['warn', 'warning'],
  ['warning', 'warning'],
]);

/** Reports the annotations of constructs: a construct with an error must not be applied. */
function reportAnnotations(stack: UncheckedObject, output: CdkOutput): void {
  for (const annotation of Array.isArray(stack.annotations) ? stack.annotations : []) {
    const { constructPath, level, message }: UncheckedObject = isObject(annotation) ? annotation : {};
    const severity = LEVELS.get(String(level).replace(/^.*\//, ''));
    if (severity === undefined) continue;
    output.report.problem({
      code: 'terraform.annotation',
      severity,
      at: { ...placeOf(output), construct: blankCredentials(String(constructPath)) },
      message: String(message),
      found: `an annotation of \`${constructPath}\``,
      expected: 'constructs without such annotations',
      hint: 'Fix it in the program that synthesizes, and synthesize again.',
    });
  }
}

async function stackPaths(name: string, stack: unknown, output: CdkOutput): Promise<readonly ModulePath[]> {
  const path = isObject(stack) ? stack.synthesizedStackPath : undefined;
  const isWithin = typeof path === 'string' && !isAbsolute(path) && !normalize(path).startsWith('..');
  if (!isObject(stack) || !isWithin || !isTerraformJson(path)) {
    refusePath(name, path, output);
    return [];
  }
  reportAnnotations(stack, output);
  const file = join(output.folder, path);
  try {
    const entries = await readdir(dirname(file));
    // The keys of a missing stack would count as no longer declared.
    if (!entries.includes(basename(file))) throw Object.assign(new Error('it does not exist'), { code: 'ENOENT' });
    return modulePaths(dirname(file), entries, output);
  } catch (error) {
    reportUnreadable(file, error, output);
    return [];
  }
}

/** Times change a little when files are copied or checked out. */
const TOLERANCE_MS = 2000;

/** Warns of a list of stacks that is older than a stack: a CDK writes the list last. */
async function reportUnfinished(modules: readonly ModulePath[], output: CdkOutput): Promise<void> {
  const changed = async (path: string): Promise<number> => (await stat(path)).mtimeMs;
  try {
    const listed = await changed(join(output.folder, STACKS_FILE));
    const times = await Promise.all(modules.map(({ path }) => changed(path)));
    const newer = modules.find((_, i) => (times[i] ?? 0) > listed + TOLERANCE_MS);
    if (!newer) return;
    output.report.problem({
      code: 'terraform.unfinished',
      severity: 'warning',
      at: placeOf(output),
      message: 'The synthesis may not have finished: a stack is newer than this file, which is written last.',
      found: `\`${displayName(newer.path, output.cwd)}\` is newer`,
      expected: 'stacks of one synthesis',
      hint: 'Some stacks may be outdated. Delete this folder, and synthesize again.',
    });
  } catch {
    // Whoever reads the file reports that it cannot be read.
  }
}

/** Lists the files of all stacks; undefined when the folder is not the output of a CDK. */
export async function tryFindStacks(folder: string, context: FileContext): Promise<readonly ModulePath[] | undefined> {
  const stacks = await tryReadStacks(folder);
  if (!stacks) return undefined;
  const output = { ...context, folder };
  const named = Object.entries(stacks);
  if (named.length === 0) {
    context.report.problem({
      code: 'manifest.no-files',
      at: placeOf(output),
      message: 'The synthesized output has no stack.',
      found: 'no stack',
      expected: 'at least one stack',
      hint: 'Create the stacks in the `App` that the program synthesizes.',
    });
  }
  const found = await Promise.all(named.map(([name, stack]) => stackPaths(name, stack, output)));
  const modules = found.flat();
  await reportUnfinished(modules, output);
  return modules;
}

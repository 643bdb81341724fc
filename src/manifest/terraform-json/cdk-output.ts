import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { blankCredentials } from '../../domain/index.ts';
import { displayName, type Looking, quoted, reportUnreadable } from '../../source/index.ts';
import { isTerraformJson, type ModulePath, modulePaths } from './folder.ts';

/** The file in which a CDK for Terraform says what it synthesized. */
export const STACKS_FILE = 'manifest.json';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Its stacks by name; undefined when the folder is something else. */
export async function tryReadStacks(folder: string): Promise<Json | undefined> {
  try {
    const json: unknown = JSON.parse(await readFile(join(folder, STACKS_FILE), 'utf8'));
    return isObject(json) && isObject(json.stacks) && json.keys === undefined ? json.stacks : undefined;
  } catch {
    // A manifest of ours may have this name: the reader of manifests tells what is wrong with it.
    return undefined;
  }
}

interface Output extends Looking {
  readonly folder: string;
}

const placeOf = ({ folder, cwd }: Output) => ({
  file: displayName(join(folder, STACKS_FILE), cwd),
  line: 1,
  column: 1,
});

function refusePath(name: string, path: unknown, output: Output): void {
  const isHcl = typeof path === 'string' && path.endsWith('.tf');
  output.report.problem({
    code: 'terraform.not-supported',
    at: placeOf(output),
    message: `The stack ${quoted(name)} is not where it can be read.`,
    found: typeof path === 'string' ? quoted(path) : 'no path',
    expected: 'a file `*.tf.json` in this folder',
    hint: isHcl ? 'Synthesize JSON: leave `hclOutput` out.' : 'Synthesize it again.',
  });
}

const LEVELS: ReadonlyMap<string, 'error' | 'warning'> = new Map([
  ['error', 'error'],
  ['warn', 'warning'],
  ['warning', 'warning'],
]);

/** What constructs have said of themselves: whoever said an error did not want to be applied. */
function tellAnnotations(stack: Json, output: Output): void {
  for (const annotation of Array.isArray(stack.annotations) ? stack.annotations : []) {
    const { constructPath, level, message }: Json = isObject(annotation) ? annotation : {};
    const severity = LEVELS.get(String(level).replace(/^.*\//, ''));
    if (severity === undefined) continue;
    output.report.problem({
      code: 'terraform.annotation',
      severity,
      at: { ...placeOf(output), construct: blankCredentials(String(constructPath)) },
      message: String(message),
      found: `an annotation of \`${constructPath}\``,
      expected: 'constructs that have nothing to complain of',
      hint: 'Mend it in the program that synthesizes, and synthesize again.',
    });
  }
}

async function stackPaths(name: string, stack: unknown, output: Output): Promise<readonly ModulePath[]> {
  const path = isObject(stack) ? stack.synthesizedStackPath : undefined;
  const isWithin = typeof path === 'string' && !isAbsolute(path) && !normalize(path).startsWith('..');
  if (!isObject(stack) || !isWithin || !isTerraformJson(path)) {
    refusePath(name, path, output);
    return [];
  }
  tellAnnotations(stack, output);
  const file = join(output.folder, path);
  try {
    const entries = await readdir(dirname(file));
    // A stack that is not there would be a stack whose keys are no longer declared.
    if (!entries.includes(basename(file))) throw Object.assign(new Error('it is not there'), { code: 'ENOENT' });
    return modulePaths(dirname(file), entries, output);
  } catch (error) {
    reportUnreadable(file, error, output);
    return [];
  }
}

/** Times shift a little where files are copied or checked out. */
const SHIFT_MS = 2000;

/** The file that names the stacks is written last: one that is older than a stack is of the synthesis before. */
async function tellUnfinished(modules: readonly ModulePath[], output: Output): Promise<void> {
  const changed = async (path: string): Promise<number> => (await stat(path)).mtimeMs;
  try {
    const named = await changed(join(output.folder, STACKS_FILE));
    const times = await Promise.all(modules.map(({ path }) => changed(path)));
    const newer = modules.find((_, i) => (times[i] ?? 0) > named + SHIFT_MS);
    if (!newer) return;
    output.report.problem({
      code: 'terraform.unfinished',
      severity: 'warning',
      at: placeOf(output),
      message: 'The synthesis may not have finished: a stack is newer than this file, which is written last.',
      found: `\`${displayName(newer.path, output.cwd)}\` is newer`,
      expected: 'stacks of one synthesis',
      hint: 'Stacks of before may be among them. Delete this folder, and synthesize again.',
    });
  } catch {
    // What can not be read is told where it is read.
  }
}

/** The files of all stacks, when the folder is what a CDK for Terraform has synthesized; else undefined. */
export async function tryFindStacks(folder: string, looking: Looking): Promise<readonly ModulePath[] | undefined> {
  const stacks = await tryReadStacks(folder);
  if (!stacks) return undefined;
  const output = { ...looking, folder };
  const named = Object.entries(stacks);
  if (named.length === 0) {
    looking.report.problem({
      code: 'manifest.no-files',
      at: placeOf(output),
      message: 'Nothing was synthesized: there is no stack.',
      found: 'no stack',
      expected: 'at least one',
      hint: 'Does the program make its stacks in the `App` that it synthesizes?',
    });
  }
  const found = await Promise.all(named.map(([name, stack]) => stackPaths(name, stack, output)));
  const modules = found.flat();
  await tellUnfinished(modules, output);
  return modules;
}

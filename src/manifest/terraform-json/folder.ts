import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { displayName, type Looking, type Problem } from '../../source/index.ts';

/** The folder of a module, as far as its files alone tell of it. */
export interface ModuleFolder {
  readonly folder: string;
  /** As places name it. */
  readonly name: string;
  /** Files that give variables other values than their defaults. */
  readonly variableFiles: readonly string[];
}

export interface ModulePath {
  readonly path: string;
  readonly module: ModuleFolder;
}

const VARIABLE_FILE = /^terraform\.tfvars(\.json)?$|\.auto\.tfvars(\.json)?$/;

/** Terraform passes over files of editors, and so do we. */
const isIgnored = (name: string): boolean => name.startsWith('.') || name.endsWith('~') || /^#.*#$/.test(name);

export const isTerraformJson = (path: string): boolean => path.endsWith('.tf.json') && !isIgnored(basename(path));

/** What Terraform would read here beside `*.tf.json`, and what to do about it. */
const REFUSED: readonly (readonly [RegExp, string, string])[] = [
  [
    /\.(tf|tofu)$/,
    'Keys that are declared in Terraform’s own language would be missing.',
    'Name the files `*.tf.json` themselves, or leave this folder to Terraform.',
  ],
  [
    /\.tofu\.json$/,
    'OpenTofu would read this file in place of another one.',
    'Name the file itself as `*.tf.json`, or leave this folder to OpenTofu.',
  ],
  [
    /(^|_)override\.tf\.json$/,
    'Terraform would lay this file over the others, which Keyplane does not.',
    'Put what it says where it belongs.',
  ],
  [
    /\.ya?ml$/,
    'A folder is a manifest or a module of Terraform, and not both.',
    'Name the files themselves: `-f main.tf.json -f ownership.yaml`.',
  ],
];

function refuse(path: string, { report, cwd }: Looking): void {
  const found = REFUSED.find(([pattern]) => pattern.test(basename(path)));
  if (!found) return;
  const [, message, hint] = found;
  const problem: Problem = {
    code: 'terraform.not-supported',
    at: { file: displayName(path, cwd), line: 1, column: 1 },
    message,
    found: `\`${basename(path)}\``,
    expected: 'a folder with `*.tf.json` alone',
    hint,
  };
  report.problem(problem);
}

function moduleFolder(folder: string, entries: readonly string[], { cwd }: Looking): ModuleFolder {
  const variableFiles = entries.filter((name) => VARIABLE_FILE.test(name)).sort();
  return { folder, name: displayName(folder, cwd), variableFiles };
}

/** All files of the module that a folder is. What would be missing without Terraform is reported. */
export function modulePaths(folder: string, entries: readonly string[], looking: Looking): readonly ModulePath[] {
  const module = moduleFolder(folder, entries, looking);
  const seen = entries.filter((name) => !isIgnored(name)).sort();
  for (const name of seen) refuse(join(folder, name), looking);
  return seen.filter(isTerraformJson).map((name) => ({ path: join(folder, name), module }));
}

/** One file of a module, named by itself: what else is in its folder is not read. */
export async function modulePath(path: string, looking: Looking): Promise<ModulePath> {
  const folder = dirname(path);
  refuse(path, looking);
  return { path, module: moduleFolder(folder, await readdir(folder), looking) };
}

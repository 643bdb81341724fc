import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { displayName, type FileContext } from '../../source/index.ts';

/** The folder of a module. */
export interface ModuleFolder {
  readonly folder: string;
  /** The folder as diagnostics name it. */
  readonly name: string;
  /** Files that give variables other values than their defaults. */
  readonly variableFiles: readonly string[];
}

/** A file of Terraform JSON, and its module. */
export interface ModulePath {
  readonly path: string;
  readonly module: ModuleFolder;
}

const VARIABLE_FILE = /^terraform\.tfvars(\.json)?$|\.auto\.tfvars(\.json)?$/;

/** Terraform ignores the files of editors. */
const isIgnored = (name: string): boolean => name.startsWith('.') || name.endsWith('~') || /^#.*#$/.test(name);

export const isTerraformJson = (path: string): boolean => path.endsWith('.tf.json') && !isIgnored(basename(path));

/** Files that Terraform would read in addition to `*.tf.json`, why that matters, and what to do. */
const REFUSED: readonly (readonly [RegExp, string, string])[] = [
  [
    /\.(tf|tofu)$/,
    'Keys declared in Terraform’s own language would be missing.',
    'Pass the `*.tf.json` files directly, or leave this folder to Terraform.',
  ],
  [
    /\.tofu\.json$/,
    'OpenTofu would read this file instead of another one.',
    'Rename the file to `*.tf.json`, or leave this folder to OpenTofu.',
  ],
  [
    /(^|_)override\.tf\.json$/,
    'Terraform would merge this override file into the others, which Keyplane does not.',
    'Move its content into the other files.',
  ],
  [
    /\.ya?ml$/,
    'A folder is either a manifest or a Terraform module, not both.',
    'Pass the files directly, such as `main.tf.json` and `ownership.yaml`.',
  ],
];

function refuse(path: string, { report, cwd }: FileContext): void {
  const [, message, hint] = REFUSED.find(([pattern]) => pattern.test(basename(path))) ?? [];
  if (message === undefined || hint === undefined) return;
  report.problem({
    code: 'terraform.not-supported',
    at: { file: displayName(path, cwd), line: 1, column: 1 },
    message,
    found: `\`${basename(path)}\``,
    expected: 'a folder with `*.tf.json` files only',
    hint,
  });
}

const moduleFolder = (folder: string, entries: readonly string[], { cwd }: FileContext): ModuleFolder => ({
  folder,
  name: displayName(folder, cwd),
  variableFiles: entries.filter((name) => VARIABLE_FILE.test(name)).sort(),
});

/** Lists the files of the module in a folder. Reports files that only Terraform reads. */
export function modulePaths(folder: string, entries: readonly string[], context: FileContext): readonly ModulePath[] {
  const module = moduleFolder(folder, entries, context);
  const files = entries.filter((name) => !isIgnored(name)).sort();
  for (const name of files) refuse(join(folder, name), context);
  return files.filter(isTerraformJson).map((name) => ({ path: join(folder, name), module }));
}

/** One file of a module, named by itself: the other files of its folder are not read. */
export async function modulePath(path: string, context: FileContext): Promise<ModulePath> {
  const folder = dirname(path);
  refuse(path, context);
  return { path, module: moduleFolder(folder, await readdir(folder), context) };
}

import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  displayName,
  type FileContext,
  isMissing,
  isWithin,
  MOST_BYTES,
  OutsideFolder,
  readBounded,
  refuseStrayLinks,
  reportUnreadable,
} from '../../source/index.ts';
import {
  isTerraformJson,
  type ModuleFolder,
  modulePath,
  modulePaths,
  STACKS_FILE,
  tryFindStacks,
} from '../../tfjson/index.ts';
import { hintOnMissing, reportNoFiles, reportWrongFile } from './wrong-path.ts';

/** One file of a manifest, as text. */
export interface SourceFile {
  /** The name in places: relative to the working folder if the file is inside it, else absolute. */
  readonly name: string;
  readonly folder: string;
  /** Without a byte order mark. */
  readonly text: string;
  /** The Terraform module that it belongs to; absent: it is a manifest. */
  readonly module?: ModuleFolder;
}

/** A manifest that is not in a file. */
export type ManifestText = Omit<SourceFile, 'module'>;

/** The path of a file to read. */
interface FoundFile {
  readonly path: string;
  readonly module?: ModuleFolder;
}

const EXTENSIONS = /\.(ya?ml|json)$/i;

async function filesIn(folder: string, context: FileContext): Promise<readonly FoundFile[]> {
  const entries = await readdir(folder);
  const stacks = entries.includes(STACKS_FILE) ? await tryFindStacks(folder, context) : undefined;
  if (stacks) return stacks;
  if (entries.some(isTerraformJson)) return modulePaths(folder, entries, context);
  const names = entries.filter((name) => EXTENSIONS.test(name) && !name.startsWith('.')).sort();
  if (names.length === 0) await reportNoFiles(folder, entries, context);
  return names.map((name) => ({ path: join(folder, name) }));
}

async function expand(path: string, context: FileContext): Promise<readonly FoundFile[]> {
  try {
    if ((await stat(path)).isDirectory()) return await filesIn(path, context);
    if (await reportWrongFile(path, context)) return [];
    return [isTerraformJson(path) ? await modulePath(path, context) : { path }];
  } catch (error) {
    reportUnreadable(path, error, {
      ...context,
      hint: isMissing(error) ? await hintOnMissing(path, context) : undefined,
    });
    return [];
  }
}

function reportStrayLink(path: string, { message }: OutsideFolder, { cwd, report }: FileContext): void {
  const name = displayName(path, cwd);
  report.problem({
    code: 'manifest.outside-folder',
    at: { file: name, line: 1, column: 1 },
    message: `${name} is not read: ${message}.`,
    found: 'a link to another folder',
    expected: 'a file, or a link to a file of the same folder',
    hint: 'Pass the path that the link leads to.',
  });
}

async function readText({ path, module, trusted }: TrustedFile, context: FileContext): Promise<SourceFile | undefined> {
  try {
    // A pipe has no real path; nobody commits one.
    if ((await stat(path)).isFile()) refuseStrayLinks(trusted, path);
    const bytes = await readBounded(path, module ? MOST_BYTES.terraformJson : MOST_BYTES.yaml);
    // The decoder drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { name: displayName(path, context.cwd), folder: dirname(path), text, ...(module ? { module } : {}) };
  } catch (error) {
    if (error instanceof OutsideFolder) reportStrayLink(path, error, context);
    else reportUnreadable(path, error, context);
    return undefined;
  }
}

/** A file below a folder that whoever starts Keyplane has chosen: links below that folder may come from a stranger. */
interface TrustedFile extends FoundFile {
  readonly trusted: string;
}

/** Links in the working folder may come with the manifest; a path elsewhere was chosen with the links on it. */
async function trustedFolder(path: string, cwd: string): Promise<string> {
  return isWithin(cwd, path) ? cwd : await folderOf(path);
}

const folderOf = async (path: string): Promise<string> => ((await stat(path)).isDirectory() ? path : dirname(path));

/** The folder of what was named: itself, or that of the file or text; absolute. */
export async function namedFolder(input: string | ManifestText | undefined, cwd: string): Promise<string> {
  if (typeof input === 'object') return resolve(cwd, input.folder);
  const path = resolve(cwd, input ?? '.');
  return await folderOf(path).catch(() => dirname(path));
}

/**
 * Reads files and folders, in the order given. Of a folder: `*.yaml`, `*.yml` and `*.json`, sorted by name, not recursively;
 * of the output of a CDK for Terraform: all stacks; of a Terraform module: all `*.tf.json`.
 *
 * Reads a repeated file once. Reports files that cannot be read. Texts come before files.
 */
export async function readSources(
  inputs: readonly (string | ManifestText)[],
  context: FileContext,
): Promise<readonly SourceFile[]> {
  const found = new Map<string, TrustedFile>();
  for (const named of inputs) {
    if (typeof named !== 'string') continue;
    const path = resolve(context.cwd, named);
    for (const file of await expand(path, context)) {
      if (!found.has(file.path)) found.set(file.path, { ...file, trusted: await trustedFolder(path, context.cwd) });
    }
  }
  const texts = await Promise.all([...found.values()].map((file) => readText(file, context)));
  const given = inputs.filter((input) => typeof input !== 'string');
  return [...given, ...texts.filter((text) => text !== undefined)];
}

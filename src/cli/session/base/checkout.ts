import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Fault } from '../../../domain/index.ts';
import { isWithin } from '../../../source/index.ts';
import { quoted } from '../../output/layout/printable.ts';
import { type CommittedFile, type GitContext, listFiles, readFiles, topFolder } from './git.ts';

/** The manifest's paths as a commit has them, in a folder of their own. */
export interface Checkout {
  /** The working folder in it. */
  readonly cwd: string;
  readonly paths: readonly string[];
  /** The paths that the commit does not have. */
  readonly missing: readonly string[];
  readonly remove: () => Promise<void>;
}

const SIZE_LIMIT = 64 * 1024 * 1024;

/** Files that a folder of manifests, a Terraform module or the output of a CDK may consist of. */
const READABLE = /\.(?:ya?ml|json|tf|tofu|tfvars)$/i;
/** `stacks/name/cdk.tf.json` in the output of a CDK; folders of manifests are not read recursively. */
const MOST_FOLDERS = 2;

const FILE_REFERENCE = /(?<!\$)\$\{file:([^}]+)\}/g;

const invalid = (message: string, hint: string): Fault => new Fault('usage.invalid', `--base: ${message}`, { hint });

/** The path in the repository, with `/`; the last component may be gone or a link, the folder is followed. */
async function inRepository(path: string, top: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const real = join(folder, basename(path));
  if (isWithin(top, real)) return relative(top, real).split(sep).join('/');
  throw invalid(
    `${quoted(path)} is not inside the repository ${quoted(top)}.`,
    'Pass the earlier manifest as a file instead of a ref.',
  );
}

function isWanted({ path }: CommittedFile, root: string): boolean {
  if (path === root) return true;
  const rest = root === '' ? path : path.slice(root.length + 1);
  return READABLE.test(rest) && rest.split('/').length - 1 <= MOST_FOLDERS;
}

function refuseUnreadable(files: readonly CommittedFile[], ref: string): void {
  const link = files.find(({ isPlain }) => !isPlain);
  if (link) {
    const hint = 'Pass the file that it points to with -f, or pass the earlier manifest as a file.';
    throw invalid(`${quoted(link.path)} is not a regular file at ${quoted(ref)}.`, hint);
  }
  if (files.reduce((sum, { size }) => sum + size, 0) <= SIZE_LIMIT) return;
  throw invalid(`The files at ${quoted(ref)} are larger than 64 MiB.`, 'Pass fewer files with -f.');
}

/** The files that manifests take values from: relative to the folder of the manifest. */
function referenced(files: readonly CommittedFile[], texts: readonly Buffer[]): readonly string[] {
  const paths = files.flatMap(({ path }, i) =>
    [...(texts[i]?.toString('utf8') ?? '').matchAll(FILE_REFERENCE)].map(([, named = '']) =>
      relative('/', resolve('/', dirname(path), named))
        .split(sep)
        .join('/'),
    ),
  );
  return [...new Set(paths)];
}

interface Commit extends GitContext {
  readonly ref: string;
  readonly id: string;
}

async function writeInto(root: string, files: readonly CommittedFile[], commit: Commit): Promise<readonly Buffer[]> {
  refuseUnreadable(files, commit.ref);
  const texts = await readFiles(files, commit);
  for (const [i, { path }] of files.entries()) {
    const target = resolve(root, path);
    if (!target.startsWith(root + sep)) throw invalid(`${quoted(path)} is not a path.`, 'Repair the commit.');
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, texts[i] ?? '', { mode: 0o600 });
  }
  return texts;
}

const unique = (files: readonly CommittedFile[]): readonly CommittedFile[] => [
  ...new Map(files.map((file) => [file.path, file])).values(),
];

/**
 * Writes what `paths` are at a commit, and the files that they refer to, into a temporary folder of mode 0700, laid out
 * as in the repository. Runs git without a shell, and none of the repository's filters.
 *
 * @throws Fault `usage.invalid` when no path exists at the commit, or one is outside the repository.
 */
export async function checkOut(paths: readonly string[], commit: Commit): Promise<Checkout> {
  const top = await realpath(await topFolder(commit));
  const cwd = await realpath(commit.cwd);
  const roots = await Promise.all(paths.map((path) => inRepository(resolve(cwd, path), top)));
  const listed = await Promise.all(roots.map((root) => listFiles(commit.id, root, commit)));
  const found = listed.map((files, i) => files.filter((file) => isWanted(file, roots[i] ?? '')));
  const missing = paths.filter((_, i) => found[i]?.length === 0);
  if (missing.length === paths.length) {
    const named = missing.map(quoted).join(', ');
    throw invalid(
      `${named} does not exist at ${quoted(commit.ref)}.`,
      'Choose a ref that contains it, or pass an earlier file.',
    );
  }
  const root = await realpath(await mkdtemp(join(tmpdir(), 'keyplane-base-')));
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true });
  try {
    const files = unique(found.flat());
    const texts = await writeInto(root, files, commit);
    const others = await Promise.all(referenced(files, texts).map((path) => listFiles(commit.id, path, commit)));
    await writeInto(root, unique(others.flat().filter(({ isPlain }) => isPlain)), commit);
    const working = resolve(root, relative(top, cwd));
    await mkdir(working, { recursive: true, mode: 0o700 });
    return {
      cwd: working,
      paths: roots.filter((_, i) => found[i]?.length).map((path) => join(root, path)),
      missing,
      remove,
    };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

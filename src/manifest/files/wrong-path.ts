import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { displayName, type FileContext, type SourceDiagnostic } from '../../source/index.ts';
import { isTerraformJson, STACKS_FILE, tryReadStacks } from '../../tfjson/index.ts';

type PathDiagnostic = Pick<SourceDiagnostic, 'message' | 'found' | 'expected' | 'hint' | 'remedy'>;

const named = (path: string, { cwd }: FileContext): string => `\`${relative(cwd, path) || '.'}\``;

/** The default output folder of a CDK. */
const OUTPUT = 'cdktf.out';

const EXPECTED = 'a manifest, or Terraform JSON';

/** Files that belong to the same task and cannot be read, by extension. */
const OTHERS: readonly (readonly [RegExp, PathDiagnostic])[] = [
  [
    /\.(?:[cm]?[jt]s|py)$/i,
    {
      message: 'Keyplane does not read programs.',
      found: 'a program',
      expected: EXPECTED,
      hint: 'Run it, then pass its output: `cdktf.out`.',
    },
  ],
  [
    /\.(?:tf|tofu)$/i,
    {
      message: 'Keyplane does not read Terraform’s native syntax.',
      found: 'a file in native syntax',
      expected: EXPECTED,
      hint: 'Write `*.tf.json` instead.',
      remedy: 'import-keys',
    },
  ],
];

async function adviceOnFile(path: string, context: FileContext): Promise<PathDiagnostic | undefined> {
  if (basename(path) !== STACKS_FILE) return OTHERS.find(([ending]) => ending.test(path))?.[1];
  const folder = dirname(path);
  if (!(await tryReadStacks(folder))) return undefined;
  return {
    message: 'This file only lists the stacks that a CDK for Terraform has synthesized.',
    found: 'a list of stacks',
    expected: 'the folder of the file',
    hint: `Pass its folder: ${named(folder, context)}.`,
  };
}

/** Reports a related file that cannot be read. @returns whether it was reported */
export async function reportWrongFile(path: string, context: FileContext): Promise<boolean> {
  const advice = await adviceOnFile(path, context);
  if (!advice) return false;
  const at = { file: displayName(path, context.cwd), line: 1, column: 1 };
  context.report.problem({ code: 'manifest.unreadable', at, ...advice });
  return true;
}

const entriesOf = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

async function hintOnFolder(folder: string, entries: readonly string[], context: FileContext): Promise<string> {
  if (entries.some((name) => name.endsWith('.tf'))) {
    return 'Keyplane reads Terraform only as JSON: `*.tf.json`.';
  }
  if (entries.includes('stacks')) {
    return `There is no \`${STACKS_FILE}\` next to \`stacks\`, so the program failed or does not call \`app.synth()\`. Run it again.`;
  }
  const within = await Promise.all(entries.map((name) => entriesOf(join(folder, name))));
  const stack = entries.find((_, i) => within[i]?.some(isTerraformJson));
  if (stack === undefined) {
    return 'Keyplane does not search folders recursively, and ignores files whose names begin with a dot.';
  }
  const one = `Pass one of its folders, such as ${named(join(folder, stack), context)}`;
  return basename(folder) === 'stacks'
    ? `${one}, or the whole output of the CDK: ${named(dirname(folder), context)}.`
    : `${one}: Keyplane does not search them on its own.`;
}

/** Suggests what a missing path may mean; undefined when its folder holds no clue. */
export async function hintOnMissing(path: string, context: FileContext): Promise<string | undefined> {
  const folder = dirname(path);
  const output = join(folder, OUTPUT);
  if (await tryReadStacks(output)) return `Did you mean ${named(output, context)}?`;
  const isProgram = (await entriesOf(folder)).includes('cdktf.json');
  return isProgram ? `Did you mean ${named(output, context)}? Synthesize the program there first.` : undefined;
}

/** Reports a folder without files to read. */
export async function reportNoFiles(folder: string, entries: readonly string[], context: FileContext): Promise<void> {
  const name = displayName(folder, context.cwd);
  context.report.problem({
    code: 'manifest.no-files',
    at: { file: name, line: 1, column: 1 },
    message: `${name} contains no manifest files.`,
    found: entries.length === 0 ? 'an empty folder' : `${entries.length} entries, none of them a manifest file`,
    expected: 'files named *.yaml, *.yml or *.json',
    hint: await hintOnFolder(folder, entries, context),
  });
}

import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { displayName, type FileContext, type Problem } from '../../source/index.ts';
import { isTerraformJson, STACKS_FILE, tryReadStacks } from '../../tfjson/index.ts';

type Advice = Pick<Problem, 'message' | 'found' | 'expected' | 'hint' | 'remedy'>;

const named = (path: string, { cwd }: FileContext): string => `\`${relative(cwd, path) || '.'}\``;

/** Where a CDK writes unless told otherwise. */
const OUTPUT = 'cdktf.out';

const EXPECTED = 'a manifest, or Terraform JSON';

/** Files that are taken for what they are about, by their endings. */
const OTHERS: readonly (readonly [RegExp, Advice])[] = [
  [
    /\.(?:[cm]?[jt]s|py)$/i,
    {
      message: 'A program is not read.',
      found: 'a program',
      expected: EXPECTED,
      hint: 'Run it, then name its output: `cdktf.out`.',
    },
  ],
  [
    /\.(?:tf|tofu)$/i,
    {
      message: 'Terraform’s own syntax is not read.',
      found: 'a file in that syntax',
      expected: EXPECTED,
      hint: 'Write `*.tf.json` instead.',
      remedy: 'import-keys',
    },
  ],
];

async function adviceOnFile(path: string, context: FileContext): Promise<Advice | undefined> {
  if (basename(path) !== STACKS_FILE) return OTHERS.find(([ending]) => ending.test(path))?.[1];
  const folder = dirname(path);
  if (!(await tryReadStacks(folder))) return undefined;
  return {
    message: 'This file only lists what a CDK for Terraform has synthesized.',
    found: 'a list of stacks',
    expected: 'the folder that it is in',
    hint: `Name its folder: ${named(folder, context)}.`,
  };
}

/** Reports a file that is about the same thing, and yet nothing to read; false when it is to be read. */
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
    return 'Of Terraform’s languages only JSON is read: `*.tf.json`.';
  }
  if (entries.includes('stacks')) {
    return `A CDK that has come to its end leaves \`${STACKS_FILE}\` beside \`stacks\`: the program failed, or has no \`app.synth()\`. Run it again.`;
  }
  const within = await Promise.all(entries.map((name) => entriesOf(join(folder, name))));
  const stack = entries.find((_, i) => within[i]?.some(isTerraformJson));
  if (stack === undefined) {
    return 'Folders are not searched deeper, and files whose names begin with a dot are left out.';
  }
  const one = `Name one of its folders, such as ${named(join(folder, stack), context)}`;
  return basename(folder) === 'stacks'
    ? `${one}, or the CDK’s whole output: ${named(dirname(folder), context)}.`
    : `${one}: they are not searched by themselves.`;
}

/** What may have been meant by a path where nothing is; undefined when nothing beside it tells. */
export async function hintOnMissing(path: string, context: FileContext): Promise<string | undefined> {
  const folder = dirname(path);
  const output = join(folder, OUTPUT);
  if (await tryReadStacks(output)) return `Did you mean ${named(output, context)}?`;
  const isProgram = (await entriesOf(folder)).includes('cdktf.json');
  return isProgram ? `Did you mean ${named(output, context)}? The program there was not synthesized yet.` : undefined;
}

/** Reports a folder in which nothing is to be read. */
export async function reportNoFiles(folder: string, entries: readonly string[], context: FileContext): Promise<void> {
  const name = displayName(folder, context.cwd);
  context.report.problem({
    code: 'manifest.no-files',
    at: { file: name, line: 1, column: 1 },
    message: `${name} holds no manifest file.`,
    found: entries.length === 0 ? 'an empty folder' : `${entries.length} entries, none of them a manifest file`,
    expected: 'files named *.yaml, *.yml or *.json',
    hint: await hintOnFolder(folder, entries, context),
  });
}

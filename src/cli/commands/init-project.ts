import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { makeFolder, unwritable } from '../../disk/index.ts';
import { Fault } from '../../domain/index.ts';
import { manifestJsonSchema } from '../../manifest/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { cdkProject } from '../output/initial/cdk.ts';
import { type Project, type ProjectInput, stepLines } from '../output/initial/project.ts';
import { terraformProject } from '../output/initial/terraform.ts';
import { yamlProject } from '../output/initial/yaml.ts';
import { quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { count, text } from '../program/option.ts';
import { checkUrl } from '../session/check-url.ts';
import { isThere, writeNew } from '../session/files/out-file.ts';

const PROJECTS: Readonly<Record<string, (input: ProjectInput) => Project>> = {
  yaml: (input) => yamlProject(input, `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`),
  terraform: terraformProject,
  cdk: cdkProject,
};

const yearOf = (now: number): number => new Date(now * 1000).getUTCFullYear();

/** Encodes characters of an address that have a meaning in one of the syntaxes. */
const harmless = ({ href }: URL): string =>
  href.replace(/\/$/, '').replace(/['{}$]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** The folder of this package, whether it was built or runs from its sources. */
const packageFolder = (folder = import.meta.dirname): string =>
  existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder));

function inputOf({ given, tree, now }: Context): ProjectInput {
  const url = text(given, 'url');
  const address = url === undefined ? undefined : checkUrl(url);
  const userId = count(given, 'user-id', 1);
  return {
    ...(address === undefined ? {} : { url: harmless(address) }),
    ...(userId === undefined ? {} : { userId }),
    year: yearOf(now()),
    // Keys of a new project end, and not soon.
    expires: `${yearOf(now()) + 1}-12-31T00:00:00Z`,
    cdk: text(given, 'cdk') === 'cdktn' ? 'cdktn' : 'cdktf',
    version: tree.version(),
    packageFolder: packageFolder(),
  };
}

/** All files or none: half a project among existing files would be worse than none. */
async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found) throw isThere(name, 'Choose another folder with --dir.');
  }
}

const ARCHIVED =
  'The program uses cdktf, which HashiCorp archived in December 2025. For its successor, CDK Terrain, pass --cdk cdktn.';

/** Writes a project that can be planned at once. Nothing that is there is touched. */
export async function initProject(context: Context, template: string): Promise<Result> {
  const { given, io } = context;
  if (given.has('file')) {
    throw new Fault('usage.invalid', '--template and -f cannot be combined.', {
      hint: 'Choose the folder of the project with --dir instead.',
    });
  }
  const make = PROJECTS[template] as (input: ProjectInput) => Project;
  const input = inputOf(context);
  const { files, steps } = make(input);
  const folder = resolve(io.cwd, text(given, 'dir') ?? '.');
  const names = Object.keys(files);
  await refuseExisting(folder, names);
  await makeFolder(folder).catch((cause: unknown) => {
    throw unwritable(folder, cause);
  });
  for (const [name, content] of Object.entries(files)) await writeNew(join(folder, name), content);
  const shown = relative(io.cwd, folder);
  // Whoever has set this token already needs no command for it, and would see it masked.
  const done = `export KEYPLANE_ACCESS_TOKEN=${io.env.KEYPLANE_ACCESS_TOKEN}`;
  const open = steps.filter(({ command }) => command !== done);
  const all = shown === '' ? open : [{ command: `cd ${quoted(shown)}` }, ...open];
  const written = names.map((name) => join(folder, name));
  const note = template === 'cdk' && input.cdk === 'cdktf' ? [ARCHIVED, ''] : [];
  const lines = [
    `Wrote ${[...names].sort().join(', ')}`,
    '',
    ...note,
    'Next:',
    ...stepLines(all).map((line) => `  ${line}`),
  ];
  return { exit: EXIT.done, data: { written, next: all.map(({ command }) => command) }, text: lines.join('\n') };
}

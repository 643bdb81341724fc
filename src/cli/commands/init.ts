import { resolve } from 'node:path';
import { writeWhole } from '../../disk/index.ts';
import { Fault } from '../../domain/index.ts';
import { manifestJsonSchema } from '../../manifest/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { initialManifest } from '../output/initial/manifest.ts';
import { shellWord } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { count, text, texts } from '../program/option.ts';
import { checkUrl } from '../session/check-url.ts';
import { writeNew } from '../session/files/out-file.ts';
import { DEFAULT_MANIFEST } from '../session/manifest-input.ts';
import { initProject } from './init-project.ts';

const SCHEMA_FILE = 'keyplane.schema.json';

/** @param url as it is in the manifest. The environment repeats it: a manifest alone does not decide where the token goes. */
function nextSteps(file: string, url = '…', userId?: number): string {
  const steps = [
    `export KEYPLANE_URL=${url}`,
    ...(userId === undefined ? ['export KEYPLANE_USER_ID=…       (from the gateway’s account settings)'] : []),
    'export KEYPLANE_ACCESS_TOKEN=…  (from the gateway’s account settings)',
    'keyplane doctor                 (test the connection and the credentials)',
    `keyplane import --out ${shellWord(file)} --yes  (replace this manifest with the existing keys)`,
    'keyplane plan',
  ];
  const numbered = steps.map((step, i) => `  ${i + 1}. ${step}`);
  return ['Next:', ...numbered, 'Add to .gitignore: .keyplane/ *.plan.json *.token'].join('\n');
}

/** Writes a project where a template was named, else a first manifest. */
export async function initAction(context: Context): Promise<Result> {
  const template = text(context.given, 'template');
  if (context.given.has('cdk') && template !== 'cdk') {
    throw new Fault('usage.invalid', '--cdk requires --template cdk.', {
      hint: 'Add --template cdk, or omit --cdk.',
    });
  }
  if (template !== undefined) return await initProject(context, template);
  if (!context.given.has('dir')) return await initManifest(context);
  throw new Fault('usage.invalid', '--dir requires --template.', { hint: 'Add --template, or omit --dir.' });
}

/** Writes a first manifest, and next to it the schema for editors. */
async function initManifest({ given, io }: Context): Promise<Result> {
  const url = text(given, 'url');
  if (url !== undefined) checkUrl(url);
  const userId = count(given, 'user-id', 1);
  const file = texts(given, 'file').at(-1) ?? DEFAULT_MANIFEST;
  const path = resolve(io.cwd, file);
  const manifest = initialManifest({
    schema: `./${SCHEMA_FILE}`,
    ...(url === undefined ? {} : { url }),
    ...(userId === undefined ? {} : { userId }),
  });
  await writeNew(path, manifest, 'Choose another file with -f, or move the existing file.');
  const schema = resolve(path, '..', SCHEMA_FILE);
  await writeWhole(schema, `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
  return {
    exit: EXIT.done,
    data: { written: [path, schema] },
    text: `Wrote ${file} and ${SCHEMA_FILE}\n\n${nextSteps(file, url, userId)}`,
  };
}

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT } from '../../domain/index.ts';
import { manifestJsonSchema } from '../../manifest/index.ts';
import type { Context, Result } from '../command.ts';
import { DEFAULT_MANIFEST } from '../manifest-input.ts';
import { count, text, texts } from '../option.ts';
import { isThere } from '../out-file.ts';
import { initialManifest } from '../render/initial-manifest.ts';
import { checkUrl } from '../settings.ts';
import { unwritable, writeWhole } from '../write-file.ts';

const SCHEMA_FILE = 'keyplane.schema.json';

async function writeNew(path: string, content: string): Promise<void> {
  await writeFile(path, content, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw unwritable(path, cause);
    throw isThere(path, 'Name another file with -f, or move that one away.', cause);
  });
}

const NEXT = [
  'Next:',
  '  1. export KEYPLANE_ACCESS_TOKEN=…  (from the gateway’s account settings)',
  '  2. keyplane doctor                 (is everything reachable?)',
  '  3. keyplane import                 (what is there already, as a manifest)',
  '  4. keyplane plan',
  'Worth a line in .gitignore: .keyplane/ *.plan.json *.token',
].join('\n');

/** Writes a first manifest and the schema beside it, for editors. */
export async function initAction(context: Context): Promise<Result> {
  const { given, io } = context;
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
  await writeNew(path, manifest);
  const schema = resolve(path, '..', SCHEMA_FILE);
  await writeWhole(schema, `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
  return { exit: EXIT.done, data: { written: [path, schema] }, text: `Wrote ${file} and ${SCHEMA_FILE}\n\n${NEXT}` };
}

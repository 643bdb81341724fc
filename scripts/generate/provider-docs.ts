import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type GeneratedFiles, ROOT } from './generated-files.ts';
import { openExamples } from './provider-docs/examples.ts';
import { pagesOf } from './provider-docs/pages.ts';
import { ADDRESS, readProviderSchemas } from './provider-schema.ts';

const FOLDER = 'docs/provider';

function pagesOnDisk(): readonly string[] {
  const folder = resolve(ROOT, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
}

/**
 * Writes docs/provider/ in the layout of the registries, from the provider's schema and from examples/provider/.
 * A part of the provider without an example is a mistake, and so is an example that no page shows.
 */
export function generateProviderDocs(files: GeneratedFiles): void {
  const provider = readProviderSchemas().provider_schemas[ADDRESS];
  if (provider === undefined) throw new Error(`the provider's schema has no entry for ${ADDRESS}`);
  const examples = openExamples();
  const pages = pagesOf(provider, examples);
  for (const [path, text] of pages) files.settle(join(FOLDER, path), text);
  for (const path of pagesOnDisk()) if (!pages.has(path)) files.remove(join(FOLDER, path));
  for (const path of examples.findUnused()) files.fail(`${path} is shown on no page`);
}

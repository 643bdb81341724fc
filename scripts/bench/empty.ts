import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { keyplaneProvider } from '../../src/terraform/keyplane/provider.ts';
import { encode } from '../../src/terraform/protocol/message.ts';
import { SchemaResponse } from '../../src/terraform/protocol/provider-messages.ts';
import { handlersOf } from '../../src/terraform/provider/handlers.ts';
import { bundling, COMMON_JS } from '../bundle.ts';

const root = resolve(import.meta.dirname, '../..');

/** The schema of Keyplane’s provider as it answers core, in Base64. */
async function schemaResponse(): Promise<string> {
  const handlers = handlersOf(
    keyplaneProvider({}, () => 0),
    new AbortController(),
  );
  const response = await handlers.getProviderSchema({}, { signal: new AbortController().signal });
  return Buffer.from(encode(SchemaResponse, response)).toString('base64');
}

/** Replaces the provider that is installed in a stack by one that does nothing. */
export async function installEmptyProvider(stack: string): Promise<void> {
  const define = { ...bundling.define, SCHEMA_RESPONSE: JSON.stringify(await schemaResponse()) };
  const installed = readdirSync(stack, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('/provider.cjs'),
  );
  for (const path of installed) {
    const lib = join(stack, path, '../lib');
    rmSync(lib, { recursive: true, force: true });
    mkdirSync(lib);
    buildSync({
      ...bundling,
      absWorkingDir: root,
      entryPoints: { main: join(import.meta.dirname, 'empty-provider.ts') },
      format: 'esm',
      outdir: lib,
      outExtension: { '.js': '.mjs' },
      banner: { js: COMMON_JS },
      define,
    });
  }
}

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { decode } from '../../src/terraform/protocol/message.ts';
import { SchemaResponse } from '../../src/terraform/protocol/provider-messages.ts';
import { encodedSchema } from '../bundle/schema-response.ts';
import { bundling, COMMON_JS } from '../bundle.ts';

const root = resolve(import.meta.dirname, '../..');

/** The computed attributes of a key. */
function computedIn(schema: string): readonly string[] {
  const { resourceSchemas } = decode(SchemaResponse, Buffer.from(schema, 'base64'));
  const attributes = resourceSchemas.get('keyplane_api_key')?.block?.attributes ?? [];
  return attributes.flatMap(({ name, computed }) => (computed ? [name] : []));
}

/** Replaces the provider that is installed in a stack by one that does nothing. */
export async function installEmptyProvider(stack: string): Promise<void> {
  const schema = await encodedSchema();
  const define = {
    ...bundling.define,
    SCHEMA_RESPONSE: JSON.stringify(schema),
    COMPUTED: JSON.stringify(computedIn(schema)),
  };
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

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifest } from '../../examples/typescript/manifest.ts';
import { CHECK_CLASSES, CHECK_MODULES } from '../../src/domain/index.ts';
import { manifestJsonSchema, readManifest } from '../../src/manifest/index.ts';
import { NOW, readText } from './scratch.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/manifest.md'), 'utf8');
/** The page leaves the assertions of checks to the generated reference. */
const pages = page + readFileSync(join(ROOT, 'docs/reference/check-modules.md'), 'utf8');
const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);

describe('the page on the manifest', () => {
  test.each(blocks.map((text, i) => [i + 1, text] as const))('shows a valid manifest in block %i', async (_, text) => {
    const { diagnostics, manifest: read } = await readText(text);
    // The pages show fields that are not supported yet.
    expect(diagnostics.filter(({ code }) => code !== 'manifest.no-effect')).toEqual([]);
    expect(read?.desired.keys.length).toBeGreaterThan(0);
  });

  test('has examples at all', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(4);
  });

  test('names every field of the schema, every check module and every class', () => {
    const { $defs } = manifestJsonSchema() as { $defs: Record<string, { properties?: object }> };
    const fields = Object.values($defs).flatMap((definition) => Object.keys(definition.properties ?? {}));
    expect(fields.length).toBeGreaterThan(20);
    const words = [...fields, ...Object.values(CHECK_MODULES).flat(), ...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];
    expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(pages))).toEqual([]);
    expect(page).toContain('(reference/check-modules.md#assertions)');
  });
});

test('the committed JSON Schema is the one that the code makes', () => {
  const committed = readFileSync(join(ROOT, 'schema/keyplane.schema.json'), 'utf8');
  expect(JSON.parse(committed)).toEqual(manifestJsonSchema());
});

test('the example in TypeScript writes a manifest that is accepted', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'keyplane-example-'));
  try {
    writeFileSync(join(cwd, 'manifest.json'), JSON.stringify(manifest, null, 2));
    const { diagnostics, manifest: read } = await readManifest(['manifest.json'], { env: {}, cwd, now: NOW });
    expect(diagnostics).toEqual([]);
    expect(read?.desired.keys.map((key) => key.name)).toContain('prod-checkout');
    expect(read?.desired.keys).toHaveLength(6);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

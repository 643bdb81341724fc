import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConvertInput, convertManifest } from '../../../src/manifest/index.ts';
import { NOW, readFiles } from '../scratch.ts';
import { declared, meaning } from './declared.ts';

type Declared = ConvertInput['manifest'];

const written = (manifest: Declared) => convertManifest({ manifest, language: 'hcl-json', now: NOW });

/** The same manifest in Terraform: each key has its own checks, and media checks are costly. */
function asTerraformHasIt(manifest: Declared): Declared {
  const used = new Set([...manifest.selections.values()].flat());
  const checks = manifest.checks
    .filter(({ name }) => used.has(name))
    .map((spec) => (spec.module === 'image' ? { ...spec, schedule: 'costly' as const } : spec));
  const protect = [...manifest.desired.ownership.protect].sort();
  return {
    ...manifest,
    checks,
    desired: { ...manifest.desired, ownership: { ...manifest.desired.ownership, protect } },
  };
}

describe('a manifest that is written as Terraform JSON', () => {
  test('is the same manifest when it is read, whatever things are called', async () => {
    await fc.assert(
      fc.asyncProperty(declared, async (manifest) => {
        // Whose provider nobody uses is nobody’s account.
        fc.pre(manifest.desired.keys.length > 0);
        const { text } = written(manifest);
        const { manifest: read, diagnostics } = await readFiles({ 'keys.tf.json': text });
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(meaning(read)).toEqual(meaning(asTerraformHasIt(manifest)));
      }),
      { numRuns: 300 },
    );
  });
});

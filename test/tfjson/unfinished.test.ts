import { expect, test } from 'vitest';
import { readStacks, stackOf } from './synthesized.ts';

/** Reads an output of two stacks that were written so many seconds after `manifest.json`. */
const readAfter = (prod: number, staging: number) =>
  readStacks(
    { prod: stackOf({ a: { name: 'a' } }), staging: stackOf({ b: { name: 'b' } }) },
    {
      changed: {
        'cdktf.out/manifest.json': 0,
        'cdktf.out/stacks/prod/cdk.tf.json': prod,
        'cdktf.out/stacks/staging/cdk.tf.json': staging,
      },
    },
  );

test('stacks that are newer than the list of stacks are reported in one warning', async () => {
  const { manifest, diagnostics } = await readAfter(3, 60);
  expect(manifest?.desired.keys).toHaveLength(2);
  expect(diagnostics).toMatchObject([
    {
      code: 'terraform.unfinished',
      severity: 'warning',
      place: { file: 'cdktf.out/manifest.json' },
      found: '`cdktf.out/stacks/prod/cdk.tf.json` is newer',
    },
  ]);
});

test('stacks of about the same time, or older ones, are not reported', async () => {
  expect((await readAfter(1.5, -60)).diagnostics).toEqual([]);
});

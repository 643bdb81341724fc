import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { limitHeapGrowth } from '../../../src/cli/session/heap-growth.ts';
import { readManifest } from '../../../src/manifest/index.ts';

async function flagsFor(characters: number, node: string): Promise<readonly string[]> {
  const flags: string[] = [];
  await limitHeapGrowth(characters, { node }, (flag) => flags.push(flag));
  return flags;
}

it('the heap grows slowly for a large manifest, where V8 is known to have the flag', async () => {
  const flags = await flagsFor(500_000, '20.19.0');
  expect(flags).toEqual(['--heap-growing-percent=75']);
  expect(await flagsFor(500_000, '24.0.0')).toEqual(flags);
  expect(await flagsFor(499_999, '24.0.0')).toEqual([]);
  expect(await flagsFor(500_000, '200.0.0')).toEqual([]);
  // V8 ends a process with a flag that it does not know.
  if ((await flagsFor(500_000, process.versions.node)).length > 0)
    execFileSync(process.execPath, [...flags, '-e', '0']);
});

it('a reading states the length of all its texts before it parses them', async () => {
  const text = 'version: 1\nkeys: [\n';
  const lengths: number[] = [];
  const beforeParsing = async (characters: number): Promise<void> => void lengths.push(characters);
  const input = { name: 'a.yaml', folder: '/', text };
  const reading = await readManifest([input, { ...input, name: 'b.yaml' }], {
    env: {},
    cwd: '/',
    now: 0,
    beforeParsing,
  });
  expect({ lengths, isRead: 'manifest' in reading }).toEqual({ lengths: [2 * text.length], isRead: false });
});

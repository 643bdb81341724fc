import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { optimizeLater } from '../../src/terraform/optimizing.ts';

async function flagsFor(node: string): Promise<readonly string[]> {
  const flags: string[] = [];
  await optimizeLater({ ...process.versions, node }, (flag) => flags.push(flag));
  return flags;
}

it('functions are optimized later, by Node.js 20 only', async () => {
  const flags = await flagsFor('20.19.0');
  expect(flags).toEqual(['--interrupt-budget=600000']);
  expect(await flagsFor('22.0.0')).toEqual([]);
  expect(await flagsFor('200.0.0')).toEqual([]);
  // V8 ends a process with a flag that it does not know.
  if (process.versions.node.startsWith('20.')) execFileSync(process.execPath, [...flags, '-e', '0']);
});

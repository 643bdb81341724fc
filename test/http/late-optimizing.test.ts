import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { optimizeLater } from '../../src/http/index.ts';

async function flagsFor(node: string): Promise<readonly string[]> {
  const flags: string[] = [];
  await optimizeLater(['parser', 'functions'], { node }, (flag) => flags.push(flag));
  return flags;
}

it('the parser of HTTP and functions are optimized later, by Node.js 20 only', async () => {
  const flags = await flagsFor('20.19.0');
  expect(flags).toEqual(['--wasm-tiering-budget=1000000000', '--interrupt-budget=600000']);
  expect(await flagsFor('22.0.0')).toEqual([]);
  expect(await flagsFor('200.0.0')).toEqual([]);
  // V8 ends a process with a flag that it does not know.
  if (process.versions.node.startsWith('20.')) execFileSync(process.execPath, [...flags, '-e', '0']);
});

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { optimizeLater } from '../../src/http/index.ts';

async function flagsFor(node: string): Promise<readonly string[]> {
  const flags: string[] = [];
  await optimizeLater(['parser', 'functions'], { node }, (flag) => flags.push(flag));
  return flags;
}

it('functions are optimized later by Node.js 20, and the parser of HTTP by each version that is known to have the flag', async () => {
  const flags = await flagsFor('20.19.0');
  expect(flags).toEqual(['--wasm-tiering-budget=1000000000', '--interrupt-budget=600000']);
  for (const node of ['22.12.0', '24.0.0']) expect(await flagsFor(node)).toEqual(['--wasm-tiering-budget=1000000000']);
  expect(await flagsFor('200.0.0')).toEqual([]);
  // V8 ends a process with a flag that it does not know.
  execFileSync(process.execPath, [...(await flagsFor(process.versions.node)), '-e', '0']);
});

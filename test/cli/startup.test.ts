import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');
const STATIC = /^(?:import|export)(?!\s+type\b)[^;]*?from '([^']+)';|^import '([^']+)';/gms;

/** Every file and package that loading `file` loads, without what is only imported when it is needed. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(STATIC)) {
    const target = from ?? bare ?? '';
    if (target.startsWith('.')) loadedBy(resolve(dirname(file), target), seen);
    else seen.add(target);
  }
  return seen;
}

it('the program begins without any room but the nouns, and without any heavy package', () => {
  const loaded = [...loadedBy(resolve(SRC, 'cli/main.ts'))];
  expect(loaded.filter((file) => file.startsWith(`${SRC}/`) && !/\/src\/(cli|domain)\//.test(file))).toEqual([]);
  const packages = loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
  expect(packages.sort()).toEqual(['commander', 'ipaddr.js', 'picocolors', 'write-file-atomic']);
});

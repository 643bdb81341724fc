import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const STATIC = /^(?:import|export)(?!\s+type\b)[^;]*?from '([^']+)';|^import '([^']+)';/gms;

/** Every file and package that loading `file` loads, without what is only imported when it is needed. */
export function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(STATIC)) {
    const target = from ?? bare ?? '';
    if (target.startsWith('.')) loadedBy(resolve(dirname(file), target), seen);
    else seen.add(target);
  }
  return seen;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/domain/index.ts';
import { readManifest } from '../../src/manifest/index.ts';
import { NOW } from './scratch.ts';

const FOLDER = resolve(import.meta.dirname, '../golden/manifest');
const cases = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

function written({ severity, code, message, found, expected, hint, place, related = [] }: Diagnostic): string {
  const also = related.map((other) => `  also     ${other.place.line}:${other.place.column} ${other.message}\n`);
  const head = `${place?.line}:${place?.column} ${severity} ${code}: ${message}\n`;
  return `${head}  found    ${found}\n  expected ${expected}\n  hint     ${hint}\n${also.join('')}`;
}

test.each(cases.sort())('%s has exactly the diagnostics that were accepted, and its source as shown', async (file) => {
  const { diagnostics, sources } = await readManifest([file], {
    env: {},
    variables: ['NOT_SET'],
    cwd: FOLDER,
    now: NOW,
  });
  const accepted = readFileSync(join(FOLDER, file.replace('.yaml', '.txt')), 'utf8');
  expect(`${diagnostics.map(written).join('\n')}---\n${sources.get(file)}`).toBe(accepted);
});

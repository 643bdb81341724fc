import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/repository.ts';
import { runServed, skipWithoutTerraform, versionOfEngine } from './stack.ts';

const EXAMPLES = join(ROOT, 'examples/provider');

/** The Terraform 1.x that an example needs, where it is newer than the one that the provider needs. */
const NEEDS: readonly (readonly [RegExp, number])[] = [
  [/^(actions|list-resources)\//, 14],
  [/\/import-by-identity\.tf$/, 12],
];

const needs = (path: string): number => NEEDS.find(([pattern]) => pattern.test(path))?.[1] ?? 0;

/** Every file of an example, below the folder of examples. Those of one folder belong together. */
const FILES = readdirSync(EXAMPLES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(tf|hcl)$/.test(entry.name))
  .map((entry) => relative(EXAMPLES, join(entry.parentPath, entry.name)))
  .sort();

const folderOf = (path: string): string => path.replace(/[^/]+$/, '');
const FOLDERS = [...new Set(FILES.map(folderOf))];

describe('the examples of the provider', () => {
  let folder = '';
  const terraform = async (...words: readonly string[]): Promise<void> => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, CHECKPOINT_DISABLE: '1' };
    const { code, stdout, stderr } = await runServed(folder, env, words);
    expect(code, stdout + stderr).toBe(0);
  };
  beforeEach((context) => {
    skipWithoutTerraform(context);
    folder = mkdtempSync(join(tmpdir(), 'keyplane-examples-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are formatted, those too that this Terraform does not know', async () => {
    expect(FOLDERS.length).toBeGreaterThan(10);
    await terraform('fmt', '-check', '-recursive', EXAMPLES);
  });

  it.for(FOLDERS)('are valid: examples/provider/%s', async (path, context) => {
    const files = FILES.filter((file) => folderOf(file) === path);
    const { minor } = versionOfEngine();
    const [known, newer] = [files.filter((file) => needs(file) <= minor), files.filter((file) => needs(file) > minor)];
    if (known.length === 0) context.skip(`it needs Terraform 1.${needs(newer[0] ?? '')}`);
    copyFileSync(join(EXAMPLES, 'provider.tf'), join(folder, 'provider.tf'));
    for (const file of known) copyFileSync(join(EXAMPLES, file), join(folder, file.slice(path.length)));
    await terraform('validate', '-no-color', ...(known.some((file) => file.endsWith('.hcl')) ? ['-query'] : []));
  });
});

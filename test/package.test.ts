import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from './architecture/repository.ts';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

interface Described {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly bin: Record<string, string>;
  readonly files: readonly string[];
  readonly exports: Record<string, string | { readonly types: string; readonly default: string }>;
}

const described = JSON.parse(read('package.json')) as Described;

describe('the package', () => {
  it('opens by its doors and its program, from what is shipped, with types', async () => {
    expect(Object.keys(described.exports)).toEqual([
      '.',
      './checks',
      './constructs/cdktf',
      './constructs/cdktf/provider',
      './constructs/cdktn',
      './constructs/cdktn/provider',
      './internals',
      './reference',
      './output.schema.json',
      './schema.json',
      './store',
      './package.json',
    ]);
    const paths = Object.values(described.exports).flatMap((door) =>
      typeof door === 'string' ? [] : Object.values(door),
    );
    for (const path of [...paths, ...Object.values(described.bin)]) {
      expect(described.files).toContain(path.replace('./', '').split('/')[0]);
      expect(read(path)).not.toBe('');
    }
    // As whoever installed it would: through the exports, and not through the sources.
    const program = `
      const doors = await Promise.all(['keyplane', 'keyplane/store', 'keyplane/reference', 'keyplane/checks'].map((door) => import(door)));
      process.stdout.write(doors.map((door) => typeof (door.createKeyplane ?? door.usageCacheAt ?? door.startReferenceGateway ?? door.checkKeys)).join());
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: fileURLToPath(root) });
    expect(output.toString()).toBe('function,function,function,function');
    expect(
      execFileSync(process.execPath, [
        fileURLToPath(new URL(described.bin.keyplane ?? '', root)),
        '--version',
      ]).toString(),
    ).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('ships a command line and a library that contain the packages they need, with their licences', () => {
    const alone = mkdtempSync(join(tmpdir(), 'keyplane-alone-'));
    try {
      for (const part of [
        'dist/cli',
        'dist/chunks',
        'dist/packages',
        'dist/src',
        'package.json',
        'examples/keyplane.yaml',
      ]) {
        cpSync(join(ROOT, part), join(alone, part), { recursive: true });
      }
      const env = { KEYPLANE_URL: 'https://gateway.example.com' };
      const run = (...words: readonly string[]): string =>
        execFileSync(process.execPath, ['dist/cli/main.js', ...words], { cwd: alone, env }).toString();
      expect(run('--help')).toContain('Usage');
      expect(run('validate', '-f', 'examples/keyplane.yaml')).toContain('keys');
      const licences = read('dist/LICENSES.txt');
      for (const name of ['commander', 'fastify', 'mediabunny', 'undici', 'yaml', 'zod']) {
        expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
      }
      expect(licences).not.toMatch(/^(?:sharp|libsql|@aws-sdk.*) /m);
    } finally {
      rmSync(alone, { recursive: true, force: true });
    }
  });

  it('ships every page of documentation that the program names', () => {
    const sources = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => read(`src/${path}`))
      .join('\n');
    const named = new Set([...sources.matchAll(/\bdocs\/[\w./-]+\.md/g)].map(([path]) => path));
    expect(named.size).toBeGreaterThan(0);
    for (const page of named) expect(read(page)).not.toBe('');
    expect(described.files).toContain('docs');
  });
});

describe('the versions in package.json', () => {
  it('are ranges where users install the package themselves, and exact where it is for us', () => {
    for (const range of Object.values(described.dependencies)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
    for (const version of Object.values(described.devDependencies))
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  });
});

describe('the figures about embedding', () => {
  it('count the exports of each door as they are', async () => {
    const rows = [...read('docs/embed.md').matchAll(/^\| `(keyplane[\w/]*)` \| (\d+) \|/gm)];
    const counted = await Promise.all(
      rows.map(async ([, door = '']) => [door, Object.keys(await import(door)).length]),
    );
    expect(counted).toEqual(rows.map(([, door, count]) => [door, Number(count)]));
    expect(counted).toHaveLength(5);
  });
});

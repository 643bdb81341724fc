import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

describe('the package', () => {
  it('ships every page of documentation that the program names', () => {
    const sources = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => read(`src/${path}`))
      .join('\n');
    const named = new Set([...sources.matchAll(/\bdocs\/[\w./-]+\.md/g)].map(([path]) => path));
    expect(named.size).toBeGreaterThan(0);
    for (const page of named) expect(read(page)).not.toBe('');
    expect((JSON.parse(read('package.json')) as { files: string[] }).files).toContain('docs');
  });
});

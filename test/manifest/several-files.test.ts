import { describe, expect, test } from 'vitest';
import { brief, readFiles, readText } from './scratch.ts';

describe('several files', () => {
  test('are merged, and a folder gives its YAML and JSON files by name, not deeper', async () => {
    const part = (name: string) => `version: 1\nkeys: { ${name}: {} }\n`;
    const files = {
      'f/b.yml': part('b'),
      'f/a.yaml': part('a'),
      'f/c.json': '{\n\t"version": 1,\n\t"keys": { "c": {} }\n}\n',
      'f/.hidden.yaml': part('hidden'),
      'f/deep/d.yaml': part('d'),
      'f/notes.txt': 'no',
    };
    const { manifest } = await readFiles(files, { paths: ['f', 'f/a.yaml'] });
    expect(manifest?.files).toEqual(['f/a.yaml', 'f/b.yml', 'f/c.json']);
    expect(manifest?.desired.keys.map((key) => key.name)).toEqual(['a', 'b', 'c']);
  });

  test('may declare the same gateway, in parts', async () => {
    const files = {
      'a.yaml': 'version: 1\ngateway: { url: https://x.example, accessTokenFile: sub/t }\n',
      'b.yaml': 'version: 1\ngateway: { url: https://x.example, userId: 3 }\n',
      'sub/c.yaml': 'version: 1\ngateway: { userId: 3, accessTokenFile: t }\n',
    };
    const { manifest, diagnostics } = await readFiles(files);
    expect(diagnostics).toEqual([]);
    expect(manifest?.gateway).toMatchObject({ url: 'https://x.example', userId: 3 });
    expect(manifest?.gateway.accessTokenFile).toMatch(/^\/.*\/sub\/t$/);
  });

  test('that both declare a key give an error that shows both places', async () => {
    const files = { 'a.yaml': 'version: 1\nkeys: { one: {} }\n', 'b.yaml': 'version: 1\nkeys:\n  one: {}\n' };
    const { diagnostics } = await readFiles(files);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: 'manifest.duplicate-key',
      place: { file: 'b.yaml', line: 3, column: 3 },
      related: [{ place: { file: 'a.yaml', line: 2, column: 9 } }],
    });
  });

  test('report a conflicting field with both places', async () => {
    const files = {
      'a.yaml': 'version: 1\nownership: { prune: never }\ndefaults: { group: a }\n',
      'b.yaml': 'version: 1\nownership: { prune: delete }\ndefaults: { group: b, models: any }\n',
    };
    const { diagnostics } = await readFiles(files);
    expect(diagnostics.map((d) => [brief(d), d.related?.[0]?.place.file])).toEqual([
      ['manifest.conflicting-field 2:21', 'a.yaml'],
      ['manifest.conflicting-field 3:20', 'a.yaml'],
    ]);
  });

  test('in one stream count as several files', async () => {
    const { manifest } = await readText('---\nversion: 1\nkeys: { a: {} }\n---\n---\nversion: 1\nkeys: { b: {} }\n');
    expect(manifest?.desired.keys.map((key) => key.name)).toEqual(['a', 'b']);
  });

  test('none of which was named are an error, not an empty manifest', async () => {
    const { diagnostics, manifest } = await readFiles({}, { paths: [] });
    expect(diagnostics.map((d) => d.code)).toEqual(['manifest.no-files']);
    expect(manifest).toBeUndefined();
  });
});

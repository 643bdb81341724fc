import { describe, expect, test } from 'vitest';
import { brief, keysOf, readFiles, readText } from './scratch.ts';

describe('YAML', () => {
  test.each([
    ['an empty file', ''],
    ['a file of comments', '# nothing\n'],
    ['a file of an empty document', '---\n'],
  ])('in %s is an error: its former keys would be pruned', async (_, text) => {
    const { diagnostics } = await readText(text);
    expect(diagnostics.map((d) => d.code)).toEqual(['manifest.missing-field']);
  });

  test('may have a byte order mark and Windows line ends, and columns stay right', async () => {
    const { diagnostics } = await readText('\ufeffversion: 1\r\nkeys:\r\n  one:\r\n    grup: a\r\n');
    expect(diagnostics.map(brief)).toEqual(['manifest.unknown-field 4:5']);
  });

  test('indented by tabs is refused with a hint', async () => {
    const { diagnostics } = await readText('version: 1\nkeys:\n\tone: {}\n');
    expect(diagnostics[0]?.code).toBe('manifest.syntax');
    expect(diagnostics[0]?.hint).toMatch(/spaces/);
  });

  test('of version 1.1, with tags, or in another encoding is refused', async () => {
    expect((await readText('%YAML 1.1\n---\nversion: 1\n')).diagnostics[0]?.code).toBe('manifest.syntax');
    expect((await readText('version: 1\nkeys: !mine {}\n')).diagnostics[0]?.code).toBe('manifest.syntax');
    const utf16 = await readFiles({ 'a.yaml': new Uint8Array([0xff, 0xfe, 0x76, 0x00]) });
    expect(utf16.diagnostics[0]?.code).toBe('manifest.unreadable');
    expect(utf16.diagnostics[0]?.hint).toMatch(/save it as UTF-8/);
  });

  test('merge keys give way to the fields of the map itself, and to earlier maps', async () => {
    const text = `version: 1
keys:
  a: &a { group: a, models: any }
  b: &b { group: b, expires: never }
  c: { <<: [*b, *a], models: [m] }
`;
    const keys = await keysOf(text);
    expect(keys[2]).toEqual({ name: 'c', enabled: true, group: 'b', expires: null, models: ['m'] });
  });

  test('aliases that multiply, or that contain themselves, are rejected', async () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i += 1) {
      const [from, to] = [String.fromCharCode(96 + i), String.fromCharCode(97 + i)];
      lines.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(', ')}]`);
    }
    const bomb = await readText(`version: 1\nchecks:\n${lines.map((line) => `  ${line}\n`).join('')}`);
    expect(bomb.diagnostics.some((d) => d.message.includes('too large'))).toBe(true);
    const loop = await readText('version: 1\nchecks: &c { a: *c }\n');
    expect(loop.diagnostics.some((d) => d.message.includes('own anchor'))).toBe(true);
  });

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['dashes', '- '.repeat(50_000)],
  ])('nested without end by %s is refused, and ends no process', async (_, text) => {
    const { diagnostics } = await readText(`version: 1\nkeys: ${text}`);
    expect(diagnostics.map((d) => d.code)).toEqual(['manifest.syntax']);
  });
});

import { describe, expect, test } from 'vitest';
import { brief, keysOf, readFiles, readText } from './scratch.ts';

describe('references', () => {
  test('are replaced in values, once, and typed fields take the text', async () => {
    const env = { ID: '42', OFF: 'false', GROUP: '${env:ID}', USD: '0.10' };
    const text =
      'version: 1\ngateway: { url: "https://gw.example/x", userId: "${env:ID}" }\nkeys:\n  a: { enabled: "${env:OFF}", group: "${env:GROUP}", budget: { usd: "${env:USD}" } }\n';
    const { manifest } = await readText(text, env);
    expect(manifest?.gateway).toEqual({ url: 'https://gw.example/x', userId: 42 });
    expect(manifest?.desired.keys[0]).toMatchObject({ enabled: false, group: '${env:ID}' });
    expect(manifest?.desired.keys[0]?.budget).toEqual({ kind: 'lifetime', amount: { usd: { digits: 10n, scale: 2 } } });
  });

  test('to files begin at the folder of the manifest, and one newline at the end is trimmed', async () => {
    const files = {
      'a/keyplane.yaml': 'version: 1\nkeys: { a: { group: "${file:of/group.txt}" } }\n',
      'a/of/group.txt': 'vip\r\n',
    };
    const { manifest } = await readFiles(files, { paths: ['a/keyplane.yaml'] });
    expect(manifest?.desired.keys[0]?.group).toBe('vip');
  });

  test('are written literally with two dollars, also before a dollar', async () => {
    const keys = await keysOf('version: 1\nkeys: { a: { group: "$${env:X}" }, b: { group: "$$${x}" } }\n');
    expect(keys.map((key) => key.group)).toEqual(['${env:X}', '$${x}']);
  });

  test.each([
    ['${env:}', 'manifest.unreadable-reference'],
    ['${vault:a}', 'manifest.unreadable-reference'],
    ['${env:A', 'manifest.unreadable-reference'],
    ['${file:.}', 'manifest.unreadable-reference'],
    ['${file:}', 'manifest.unreadable-reference'],
    ['${env:__proto__}', 'manifest.unset-variable'],
    ['${env:toString}', 'manifest.unset-variable'],
  ])('%s is %s', async (reference, code) => {
    const text = `version: 1\nkeys: { a: { group: "${reference}" } }\n`;
    const { diagnostics } = await readText(text, {}, ['__proto__', 'toString']);
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
  });

  test('are listed by the places of their values, in every section', async () => {
    const env = { X: 'x' };
    const text =
      'version: 1\nownership: { protect: ["${env:X}"] }\nkeys:\n  x: { group: "${env:X}", checks: [c] }\nchecks: { c: { module: chat, messages: ["${env:X}", "$${env:X}"] } }\n';
    const { manifest } = await readText(text, env);
    expect(manifest?.references.map(({ line, column }) => [line, column])).toEqual([
      [2, 24],
      [4, 15],
      [5, 41],
    ]);
  });

  test('of a variable that is empty give the empty text', async () => {
    const { diagnostics } = await readText('version: 1\nkeys: { a: { group: "${env:E}" } }\n', { E: '' });
    expect(diagnostics.map(brief)).toEqual(['manifest.invalid-value 2:21']);
  });

  test('to a variable that is empty cannot be an expiry', async () => {
    const { diagnostics } = await readText('version: 1\nkeys: { a: { expires: "${env:E}" } }\n', { E: '' });
    expect(diagnostics.map(brief)).toEqual(['manifest.invalid-value 2:23']);
  });

  test.each([
    ['keys: { a: { group: "${env:E}${env:E}" } }', '2:21'],
    ['keys: { a: { group: "${file:empty.txt}" } }', '2:21'],
    ['defaults: { group: "${env:E}" }', '2:20'],
    ['keys: { a: { models: ["${env:E}"] } }', '2:23'],
    ['keys: { a: { owner: "${env:E}" } }', '2:21'],
    ['keys: { a: { labels: { team: "${env:E}" } } }', '2:30'],
    ['keys: { a: { smartRouting: { tiers: ["${env:E}"] } } }', '2:38'],
  ])('to what is empty are an error in %s', async (line, at) => {
    const files = { 'keyplane.yaml': `version: 1\n${line}\n`, 'empty.txt': '\n' };
    const { manifest, diagnostics } = await readFiles(files, { env: { E: '' }, paths: ['keyplane.yaml'] });
    expect(manifest).toBeUndefined();
    expect(diagnostics.filter(({ severity }) => severity !== 'warning').map(brief)).toEqual([
      `manifest.invalid-value ${at}`,
    ]);
  });

  test('that are empty do not hide that an empty string may be written', async () => {
    const keys = await keysOf('version: 1\nkeys: { a: { group: "" } }\n');
    expect(keys.map(({ group }) => group)).toEqual(['']);
  });

  test('never show the value that they stand for', async () => {
    const env = { V: 'hidden-value 11.9.8.7/8' };
    const fields = ['models: ["a,${env:V}"]', 'allowIps: ["${env:V}"]', 'expires: "${env:V}"', 'enabled: "${env:V}"'];
    const more = ['budget: { usd: "${env:V}" }', 'checks: ["${env:V}"]', 'rotate: { every: "${env:V}", overlap: 1d }'];
    const text = `version: 1\nkeys:\n${[...fields, ...more].map((field, i) => `  k${i}: { ${field} }\n`).join('')}`;
    const reading = await readText(text, env);
    expect(reading.diagnostics).toHaveLength(7);
    expect(JSON.stringify([reading.diagnostics, [...reading.sources]])).not.toMatch(
      /hidden-value|11\.9\.8|11\.0\.0\.0/,
    );
  });

  test('to a file that is too large are refused before it is read', async () => {
    const files = {
      'keyplane.yaml': 'version: 1\nkeys: { a: { group: "${file:large.txt}" } }\n',
      'large.txt': 'x'.repeat(2 ** 20 + 1),
    };
    const { diagnostics } = await readFiles(files, { paths: ['keyplane.yaml'] });
    expect(diagnostics.map(({ code, found, hint }) => [code, found ?? '', hint])).toEqual([
      ['manifest.unreadable-reference', '"${file:large.txt}"', 'Reference a smaller file.'],
    ]);
  });

  test('are not replaced in a manifest that is not trusted', async () => {
    const text = 'version: 1\nkeys: { a: { group: "${env:GROUP}" }, b: { group: "$${x}" } }\n';
    const { manifest, diagnostics } = await readFiles(
      { 'keyplane.yaml': text },
      { env: { GROUP: 'vip' }, untrusted: true },
    );
    expect([manifest, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['manifest.reference-not-allowed']]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brief, readFiles, readText } from './scratch.ts';

describe('secrets in a manifest', () => {
  const credential = `sk-${'Zx9'.repeat(16)}`;

  test.each([
    ['an API key in a field', `version: 1\nkeys: { a: { group: ${credential} } }\n`],
    ['an API key in a reference of no kind', `version: 1\nkeys: { a: { group: "\${${credential}}" } }\n`],
    ['an API key as a scope', `version: 1\nownership: { scope: ["${credential}"] }\nkeys: { a: {} }\n`],
    ['an API key as a name of a field', `version: 1\nkeys: { a: { ${credential}: x } }\n`],
    ['an API key as an unknown check', `version: 1\nkeys: { a: { checks: ["${credential}"] } }\n`],
    ['an API key as a name', `version: 1\nkeys: { ${credential}: {} }\n`],
    ['an API key in opaque tiers', `version: 1\nkeys: { a: { smartRouting: { tiers: [${credential}] } } }\n`],
    ['an API key in a comment of a broken file', `version: 1 # ${credential}\nkeys: { a: [\n`],
    ['an API key in a broken line', `version: 1\nkeys: { group: "${credential}\n`],
  ])('are shown nowhere: %s', async (_, text) => {
    const reading = await readText(text);
    expect(reading.manifest).toBeUndefined();
    expect(JSON.stringify([reading.diagnostics, [...reading.sources]])).not.toContain(credential);
  });

  test.each([
    ['a field', 'version: 1\ngateway:\n  accessToken: 7h3s3cr3t\n'],
    ['a field of another spelling', 'version: 1\ngateway: { "access_token": \'7h3s3cr3t\' }\n'],
    ['a field of a key', 'version: 1\nkeys: { a: { secret: 7h3s3cr3t } }\n'],
    ['a broken file', 'version: 1\ngateway:\n  token: 7h3s3cr3t\nkeys: { a: [\n'],
    ['the address', 'version: 1\ngateway: { url: "https://me:7h3s3cr3t@gw.example" }\n'],
  ])('are shown nowhere: a token in %s', async (_, text) => {
    const reading = await readText(text);
    expect(reading.manifest).toBeUndefined();
    expect(JSON.stringify([reading.diagnostics, [...reading.sources]])).not.toContain('7h3s3cr3t');
  });

  test('keep their length in the source, so that columns stay right', async () => {
    const { sources, diagnostics } = await readText(`version: 1\nkeys: { a: { group: ${credential}, grup: x } }\n`);
    const line = sources.get('keyplane.yaml')?.split('\n')[1] ?? '';
    const column = diagnostics.find((d) => d.code === 'manifest.unknown-field')?.place?.column ?? 0;
    expect(line.slice(column - 1, column + 3)).toBe('grup');
  });

  test('that come from the environment are refused as well', async () => {
    const reading = await readText('version: 1\nkeys: { a: { group: "${env:K}" } }\n', { K: credential });
    expect(reading.diagnostics.map((d) => d.code)).toEqual(['manifest.secret-in-manifest']);
    expect(JSON.stringify(reading.diagnostics)).not.toContain(credential);
  });
});

describe('the access token in the file that a manifest names', () => {
  const token = 'q8Zt-of-the-account-4Rk2';
  const declaring = (path: string) =>
    `version: 1\ngateway: { url: "https://gw.example", userId: 1, accessTokenFile: ${path} }\nkeys: { a: { group: "${token}" } }\n`;

  test.each(['"token.txt"', "'token.txt'", 'token.txt'])('is shown nowhere: %s', async (path) => {
    const reading = await readFiles(
      { 'keyplane.yaml': declaring(path), 'token.txt': `${token}\n` },
      { paths: ['keyplane.yaml'] },
    );
    expect(reading.diagnostics).toMatchObject([
      { code: 'manifest.secret-in-manifest', place: { line: 3, column: 22, endColumn: 22 + token.length } },
    ]);
    expect(JSON.stringify([reading.diagnostics, [...reading.sources]])).not.toContain(token);
  });

  test('is unknown where that file cannot be read', async () => {
    const { diagnostics } = await readFiles({ 'keyplane.yaml': declaring('missing.txt') });
    expect(diagnostics.map(({ code }) => code)).not.toContain('manifest.secret-in-manifest');
  });

  test('is not looked for in an empty name', async () => {
    const { diagnostics } = await readFiles({ 'keyplane.yaml': declaring('""') });
    expect(diagnostics.map(({ code }) => code)).not.toContain('manifest.secret-in-manifest');
  });
});

test('all errors are reported in one run, in the order of the text', async () => {
  const text = `version: 1
gateway: { url: nowhere, userId: -1 }
keys:
  one: { modles: [a], allowIps: [x, 10.1.2.3/8], budget: { usd: 1, pre: day } }
  two: { budget: { usd: 1, quota: 2 }, checks: [nope] }
`;
  const { diagnostics } = await readText(text);
  expect(diagnostics.map(brief)).toEqual([
    'manifest.invalid-value 2:17',
    'manifest.invalid-value 2:34',
    'manifest.unknown-field 4:10',
    'manifest.invalid-ip-rule 4:34',
    'manifest.invalid-ip-rule 4:37',
    'manifest.unknown-field 4:68',
    'manifest.invalid-value 5:18',
    'manifest.unknown-check 5:49',
  ]);
  expect(diagnostics[2]?.hint).toContain('`models`');
  expect(diagnostics[4]?.hint).toContain('10.0.0.0/8');
  expect(diagnostics[5]?.hint).toContain('`per`');
  expect(diagnostics[6]?.expected).toContain('either `usd` or `quota`');
});

const scrap = fc.constantFrom(
  'keys:',
  '  a:',
  '\n',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '&x ',
  '*x',
  '<<: ',
  '!t ',
  '"',
  "'",
  '|',
  '>',
  '#',
  '---\n',
  '${',
  'version: 1\n',
  '\t',
  'null',
  '? ',
  ', ',
  '\u0000',
  '\ud800',
);

test('no text makes the reader throw, or report without a place', async () => {
  const texts = fc.oneof(
    fc.array(scrap, { maxLength: 20 }).map((parts) => `version: 1\n${parts.join('')}`),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const { diagnostics, manifest } = await readText(text);
      expect(diagnostics.every(({ place }) => place && place.line >= 1 && place.column >= 1)).toBe(true);
      expect(manifest === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    }),
    { numRuns: 1000 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderDecimal } from '../../src/domain/index.ts';
import { brief, readFiles, readText } from './scratch.ts';

const keysOf = async (text: string, env = {}) => {
  const { manifest, diagnostics } = await readText(text, env);
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  return manifest?.desired.keys.map(({ place: _, ...key }) => key) ?? [];
};

const budgetOf = async (text: string) => (await keysOf(`version: 1\nkeys: { a: { budget: ${text} } }\n`))[0]?.budget;

describe('the desired state', () => {
  test('is in normal form: sets sorted, rules canonical, defaults filled in field by field', async () => {
    const text = `version: 1
defaults: { group: base, budget: { usd: 10 }, models: any }
keys:
  b:
    models: [z, a, z]
    allowIps: ["2001:DB8::/32", 203.0.113.7, 10.0.0.0/8]
    expires: 2030-01-01T02:00:00+02:00
    budget: { quota: 5, per: month }
    smartRouting: { tiers: { b: 1, a: [true, null] } }
  a: { enabled: false, renamedFrom: old, deliver: [{ file: k, format: raw }], checks: [chat] }
`;
    const ten = { usd: { digits: 10n, scale: 0 } };
    expect(await keysOf(text)).toEqual([
      {
        name: 'a',
        enabled: false,
        group: 'base',
        models: null,
        budget: { kind: 'lifetime', amount: ten },
        renamedFrom: 'old',
        pending: ['deliver', 'checks'],
      },
      {
        name: 'b',
        enabled: true,
        group: 'base',
        models: ['a', 'z'],
        allowIps: ['10.0.0.0/8', '2001:db8::/32', '203.0.113.7/32'],
        expires: Date.UTC(2030, 0, 1) / 1000,
        budget: { kind: 'window', amount: { quota: 5 }, per: 'month' },
        smartRouteTiers: '{"a":[true,null],"b":1}',
      },
    ]);
  });

  test('knows where each key is declared', async () => {
    const { manifest } = await readText('version: 1\nkeys:\n  one: {}\n');
    expect(manifest?.desired.keys[0]?.place).toEqual({
      file: 'keyplane.yaml',
      line: 3,
      column: 3,
      endLine: 3,
      endColumn: 6,
    });
  });

  test('has ownership with a scope only where one is written', async () => {
    const plain = await readText('version: 1\n');
    expect(plain.manifest?.desired.ownership).toEqual({ prune: 'never', protect: [] });
    const { manifest } = await readText('version: 1\nownership: { scope: "a-*", prune: delete, protect: [a-1] }\n');
    expect(manifest?.desired.ownership).toEqual({ scope: ['a-*'], prune: 'delete', protect: ['a-1'] });
  });

  test('loses no key, whatever its name means to JavaScript or YAML', async () => {
    const names = ['__proto__', 'constructor', 'toString', '<<', 'null', '1e3', '0x10'];
    const text = `version: 1\nkeys:\n${names.map((name) => `  "${name}": { group: g }\n`).join('')}  5: { group: g }\n`;
    const keys = await keysOf(text);
    expect(keys.map((key) => key.name)).toEqual([...names, '5'].sort());
    expect(keys.every((key) => key.group === 'g')).toBe(true);
  });
});

describe('amounts', () => {
  test.each([
    ['{ usd: 0.1 }', '0.1'],
    ['{ usd: 1234567.123456789012345678 }', '1234567.123456789012345678'],
    ['{ usd: 25.00 }', '25'],
    ['{ usd: "0.30" }', '0.3'],
    ['{ usd: 1e-7 }', '0.0000001'],
    ['{ usd: 1.e2 }', '100'],
    ['{ usd: .5 }', '0.5'],
    ['{ usd: 0x10 }', '16'],
  ])('%s is exactly %s dollars', async (text, exact) => {
    const budget = await budgetOf(text);
    if (budget?.kind !== 'lifetime' || !('usd' in budget.amount)) throw new Error('not a lifetime grant in dollars');
    expect(renderDecimal(budget.amount.usd)).toBe(exact);
  });

  test('in quota units may be any safe integer, also as text', async () => {
    expect(await budgetOf('{ quota: 9007199254740991 }')).toEqual({
      kind: 'lifetime',
      amount: { quota: Number.MAX_SAFE_INTEGER },
    });
    expect(await budgetOf('{ quota: "12" , initial: true }')).toEqual({ kind: 'initial', amount: { quota: 12 } });
  });

  test('of a top-up are both kept', async () => {
    const five = { usd: { digits: 5n, scale: 0 } };
    expect(await budgetOf('{ quota: 100, below: { usd: 5 } }')).toEqual({
      kind: 'top-up',
      amount: { quota: 100 },
      below: five,
    });
  });
});

describe('references', () => {
  test('are replaced in values, once, and typed fields take the text', async () => {
    const env = { ID: '42', URL: 'https://gw.example', OFF: 'false', GROUP: '${env:ID}', USD: '0.10' };
    const text =
      'version: 1\ngateway: { url: "${env:URL}/x", userId: "${env:ID}" }\nkeys:\n  a: { enabled: "${env:OFF}", group: "${env:GROUP}", budget: { usd: "${env:USD}" } }\n';
    const { manifest } = await readText(text, env);
    expect(manifest?.gateway).toEqual({ url: 'https://gw.example/x', userId: 42 });
    expect(manifest?.desired.keys[0]).toMatchObject({ enabled: false, group: '${env:ID}' });
    expect(manifest?.desired.keys[0]?.budget).toEqual({ kind: 'lifetime', amount: { usd: { digits: 10n, scale: 2 } } });
  });

  test('to files begin at the folder of the manifest, and one newline at the end is trimmed', async () => {
    const files = {
      'a/keyplane.yaml': 'version: 1\nkeys: { a: { group: "${file:../group.txt}" } }\n',
      'group.txt': 'vip\r\n',
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
    const { diagnostics } = await readText(`version: 1\nkeys: { a: { group: "${reference}" } }\n`);
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
  });

  test('of a variable that is empty give the empty text', async () => {
    const { diagnostics } = await readText('version: 1\nkeys: { a: { group: "${env:E}" } }\n', { E: '' });
    expect(diagnostics.map(brief)).toEqual(['manifest.invalid-value 2:21']);
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
});

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

  test('may say the same thing of the gateway, in parts', async () => {
    const files = {
      'a.yaml': 'version: 1\ngateway: { url: https://x.example, accessTokenFile: t }\n',
      'b.yaml': 'version: 1\ngateway: { url: https://x.example, userId: 3 }\n',
      'sub/c.yaml': 'version: 1\ngateway: { userId: 3, accessTokenFile: ../t }\n',
    };
    const { manifest, diagnostics } = await readFiles(files);
    expect(diagnostics).toEqual([]);
    expect(manifest?.gateway).toMatchObject({ url: 'https://x.example', userId: 3 });
    expect(manifest?.gateway.accessTokenFile).toMatch(/^\/.*\/t$/);
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

  test('tell of a field that they disagree on with both places', async () => {
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

describe('YAML', () => {
  test.each([
    ['an empty file', ''],
    ['a file of comments', '# nothing\n'],
    ['a file of an empty document', '---\n'],
  ])('in %s is an error: keys that stood there would be pruned', async (_, text) => {
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

  test('aliases that multiply, or that contain themselves, are refused at once', async () => {
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
    const { diagnostics } = await readText(text);
    expect(diagnostics.map((d) => d.code)).toEqual(['manifest.syntax']);
  });
});

describe('secrets that stand in a manifest', () => {
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

test('everything that is wrong is said at once, in the order of the text', async () => {
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
  expect(diagnostics[6]?.expected).toContain('{ usd: 25, per: month }');
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

test('no text at all makes the reader throw, or speak without a place', async () => {
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

import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertManifest, type Language } from '../../../src/manifest/index.ts';
import { NOW, readText } from '../scratch.ts';

const MANIFEST = `version: 1
gateway: { url: https://gateway.example.com, userId: 42, accessTokenFile: access.token, profile: deployed }
ownership: { scope: ["prod-*", "日本"], prune: disable, protect: ["prod-checkout", "nobody-*"] }
keys:
  prod-batch: { renamedFrom: batch, models: any, allowIps: anywhere, expires: 2020-03-31T00:00:00Z, rotate: { every: 90d, overlap: 7d, overlapBudget: { usd: 5 } } }
  prod-checkout:
    models: ['echo "\${x}"', alpha-chat-1]
    expires: never
    budget: { usd: 0.100000000000000001, per: month }
    smartRouting: { tiers: { "a b": [1, null], __proto__: "%{x}" } }
    checks: [pong, model-list, free]
  "日本": { enabled: false, models: ["e\u0301", alpha-chat-1], budget: unlimited }
checks:
  pong: { module: chat, max_tokens: 5, expect: { contains: pong, maxCost: 0.1 }, timeout: 30s, schedule: cheap }
  idle: { module: image }
`.replace('${x}', () => '$${x}');

/** Values that do not fit into a line, and characters that would not be seen. */
const LONG = `version: 1
gateway: { url: https://gateway.example.com, userId: 42 }
keys:
  app:
    smartRouting:
      tiers:
        numbers: [${Array.from({ length: 40 }, (_, at) => at * 1111).join(', ')}]
        rows: [{ id: 1, models: [a] }, { id: 2, models: [] }]
        "no identifier": { none: {}, "__proto__": 1, "it's": "a\\tb\\u0007" }
        texts: [${Array.from({ length: 4 }, (_, at) => `text ${at} ${'long '.repeat(8)}end`).join(', ')}]
        sentence: ${'A sentence that is longer than a line. '.repeat(4)}
        id: ${'A short name does not move its sentence. '.repeat(4)}
    checks: [drawing]
checks:
  drawing: { module: image, model: alpha-image-1, family: alpha, retries: 2, n: 1 }
`;

const converted = async (language: Language, text = MANIFEST) => {
  const { manifest } = await readText(text);
  if (!manifest) throw new Error('it was not read');
  const { accessTokenFile, ...gateway } = manifest.gateway;
  const relative = accessTokenFile === undefined ? gateway : { ...gateway, accessTokenFile: 'access.token' };
  return convertManifest({ manifest: { ...manifest, gateway: relative }, language, now: NOW });
};

const golden = (name: string): string => resolve(import.meta.dirname, '../../golden/write', name);

describe('one manifest', () => {
  test.each([
    ['hcl', '1-native.tf'],
    ['hcl-json', '2-json.tf.json'],
    ['cdk', '3-program.txt'],
  ] as const)('is written as %s', async (language, file) => {
    const { text } = await converted(language);
    await expect(text).toMatchFileSnapshot(golden(file));
  });

  test.each([
    ['hcl', '4-long-values.tf', LONG.replace('\\u0007', '\\u00a0')],
    ['hcl', '6-control-character.tf', LONG],
    ['cdk', '5-long-values.txt', LONG],
  ] as const)('breaks long values into lines as a formatter does: %s, %s', async (language, file, manifest) => {
    const { text } = await converted(language, manifest);
    await expect(text).toMatchFileSnapshot(golden(file));
  });

  test('reports everything that it omits, in each language', async () => {
    const omitted = async (language: Language) =>
      (await converted(language)).leftOut.map(({ key, what }) => `${key ?? ''}: ${what.split(' is omitted')[0]}`);
    const ofTerraform = [
      ': gateway.accessTokenFile',
      ': ownership.scope prod-*, 日本',
      ': ownership.prune disable',
      ': ownership.protect nobody-*',
      'prod-checkout: checks free',
      'prod-checkout: checks pong: schedule cheap',
      ': checks idle',
    ];
    expect(await omitted('yaml')).toEqual([]);
    expect(await omitted('hcl')).toEqual([
      ...ofTerraform,
      'prod-batch: renamedFrom batch',
      'prod-batch: rotate.overlapBudget',
      '日本: the key',
    ]);
    const withRenames = [...ofTerraform, 'prod-batch: rotate.overlapBudget', '日本: the key'];
    expect(await omitted('hcl-json')).toEqual(withRenames);
    expect(await omitted('cdk')).toEqual(withRenames);
  });

  test('has each of them as a comment as well', async () => {
    for (const language of ['hcl', 'hcl-json', 'cdk'] as const) {
      const { text, leftOut } = await converted(language);
      const comments = text.replaceAll('\\"', '"');
      for (const { what } of leftOut) expect(comments).toContain(what.replace('the key is omitted: ', ''));
    }
  });
});

test('a key whose name Terraform would change is reported and omitted', async () => {
  const text = `version: 1\nkeys: { "cafe\u0301": {}, tea: { models: ["the\u0301"] } }\n`;
  for (const language of ['hcl', 'hcl-json', 'cdk'] as const) {
    const { text: written, leftOut } = await converted(language, text);
    expect(leftOut.map(({ key }) => key)).toEqual(['cafe\u0301', 'tea']);
    expect(written).not.toMatch(/name["']? *[:=] *["']cafe/);
    expect(written).not.toContain('"the');
  }
});

test('programs are for either of the two packages', async () => {
  const { manifest } = await readText('version: 1\nkeys: { a: {} }\n');
  if (!manifest) throw new Error('it was not read');
  const { text } = convertManifest({ manifest, language: 'cdk', cdk: 'cdktn', now: NOW });
  expect(text.match(/from '.*'/g)).toEqual(["from 'cdktn'", "from 'constructs'", "from 'keyplane/constructs/cdktn'"]);
});

import { describe, expect, it } from 'vitest';
import { convertManifest, manifestDigest } from '../../src/manifest/index.ts';
import { brief, keysOf, NOW, readFiles, readText } from './scratch.ts';

const metadataOf = async (text: string) =>
  Object.fromEntries((await keysOf(text)).map(({ name, metadata }) => [name, metadata]));

describe('the metadata of keys', () => {
  it('takes the owner from the key, else from the last rule that matches, else from the defaults', async () => {
    const text = `version: 1
owners:
  platform: { keys: "*-app" }
  search: { keys: [search-*], notify: "#search" }
defaults: { owner: nobody }
keys:
  search-app: {}
  search-own: { owner: ada }
  web-app: {}
  other: {}
`;
    const metadata = await metadataOf(text);
    expect(metadata['search-app']).toEqual({ owner: 'search' });
    expect(metadata['search-own']).toEqual({ owner: 'ada' });
    expect(metadata['web-app']).toEqual({ owner: 'platform' });
    expect(metadata.other).toEqual({ owner: 'nobody' });
  });

  it('takes the last owner that matches in the order of the text, also where the name of an owner is a number', async () => {
    const owners = 'owners: { search: { keys: "*" }, "7": { keys: "a*" }, "1": { keys: "b*" } }';
    const metadata = await metadataOf(`version: 1\n${owners}\nkeys: { a: {}, b: {}, c: {} }\n`);
    expect(metadata).toEqual({ a: { owner: '7' }, b: { owner: '1' }, c: { owner: 'search' } });
    const { manifest } = await readFiles({
      'a.yaml': 'version: 1\nowners: { "9": { keys: "*" } }\nkeys: { a: {}, b: {} }\n',
      'b.yaml': 'version: 1\nowners: { "10": { keys: "a" }, "2": { keys: "zz" } }\n',
    });
    expect(manifest?.desired.keys.map(({ metadata: own }) => own?.owner)).toEqual(['10', '9']);
  });

  it('merges the labels of defaults and of a key one by one, and reads numbers and flags as texts', async () => {
    const text = `version: 1
defaults: { labels: { team: search, env: prod }, ticket: OPS-1 }
keys: { a: { labels: { env: dev, tier: 1, critical: true }, description: "For the shop" } }
`;
    expect((await metadataOf(text)).a).toEqual({
      description: 'For the shop',
      ticket: 'OPS-1',
      labels: { team: 'search', env: 'dev', tier: '1', critical: 'true' },
    });
  });

  it('is absent where nothing is declared', async () => {
    expect((await metadataOf('version: 1\nkeys: { a: {} }\n')).a).toBeUndefined();
  });

  it.each([
    ['keys: { a: { owner: "two\\nlines" } }', 'manifest.invalid-value'],
    ['keys: { a: { owner: " padded " } }', 'manifest.invalid-value'],
    ['keys: { a: { ticket: "\\u2028" } }', 'manifest.invalid-value'],
    [`keys: { a: { description: "${'x'.repeat(201)}" } }`, 'manifest.invalid-value'],
    ['keys: { a: { labels: [team] } }', 'manifest.wrong-type'],
    ['keys: { a: { labels: { "-team": x } } }', 'manifest.invalid-value'],
    ['keys: { a: { labels: { team: [x] } } }', 'manifest.wrong-type'],
    ['owners: [search]', 'manifest.wrong-type'],
    ['owners: { " x": {} }', 'manifest.invalid-value'],
    ['owners: { x: { keys: [] } }', 'manifest.invalid-value'],
    ['owners: { x: { notfiy: a } }', 'manifest.unknown-field'],
  ])('reports %s', async (text, code) => {
    const { diagnostics, manifest } = await readText(`version: 1\n${text}\n`);
    expect(manifest).toBeUndefined();
    expect(diagnostics.map((each) => each.code)).toContain(code);
  });

  it('refuses a credential in a description', async () => {
    const text = 'version: 1\nkeys: { a: { description: "sk-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl" } }\n';
    const { diagnostics, sources } = await readText(text);
    expect(diagnostics.map(({ code }) => code)).toContain('manifest.secret-in-manifest');
    expect(JSON.stringify([diagnostics, [...sources]])).not.toContain('abcdefghijklmnop');
  });

  it('reports two files that disagree about an owner, and names an owner after a member of every object', async () => {
    const { diagnostics } = await readFiles({
      'a.yaml': 'version: 1\nowners: { __proto__: { keys: a }, x: { keys: b } }\nkeys: { a: {} }\n',
      'b.yaml': 'version: 1\nowners: { __proto__: { keys: a }, x: { keys: c } }\n',
    });
    expect(diagnostics.map(brief)).toEqual(['manifest.conflicting-field 2:38']);
  });

  it('does not change the digest of a manifest: a saved plan stays valid', async () => {
    const [bare, full] = await Promise.all([
      readText('version: 1\nkeys: { a: { budget: unlimited } }\n'),
      readText(
        'version: 1\nowners: { x: { keys: a } }\nkeys: { a: { budget: unlimited, ticket: OPS-1, labels: { a: b } } }\n',
      ),
    ]);
    if (!bare.manifest || !full.manifest) throw new Error('not read');
    expect(manifestDigest(full.manifest)).toBe(manifestDigest(bare.manifest));
  });

  it('is the same after it was written as YAML and read again, whatever it contains', async () => {
    const text = `version: 1
owners: { "a: b": { keys: ["x*", y], notify: ["#x", "@y", "\${z}"] }, empty: {} }
defaults: { owner: d }
keys:
  x1: { description: "=HYPERLINK(1) | <b> \`x\` \u202e \${env:HOME}", ticket: "12", labels: { a/b: "yes", c: "x, y" } }
  z: {}
`;
    const { manifest } = await readText(text.replaceAll('${', () => '$${'));
    if (!manifest) throw new Error('not read');
    const written = convertManifest({ manifest, language: 'yaml', now: NOW });
    const again = await readText(written.text);
    expect(again.diagnostics).toEqual([]);
    expect(again.manifest?.desired.owners).toEqual(manifest.desired.owners);
    const facts = (read: typeof manifest) => read.desired.keys.map(({ name, metadata }) => [name, metadata]);
    expect(again.manifest && facts(again.manifest)).toEqual(facts(manifest));
  });

  it('is left out for Terraform, and listed', async () => {
    const { manifest } = await readText('version: 1\nkeys: { a: { budget: unlimited, owner: search } }\n');
    if (!manifest) throw new Error('not read');
    const { text, leftOut } = convertManifest({ manifest, language: 'hcl', now: NOW });
    expect(leftOut).toEqual([{ key: 'a', what: expect.stringMatching(/^owner is omitted/) }]);
    expect(text).not.toMatch(/^\s*owner/m);
  });
});

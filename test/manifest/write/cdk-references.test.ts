import { describe, expect, test } from 'vitest';
import type { ObservedKey } from '../../../src/domain/index.ts';
import { convertManifest, renderManifest } from '../../../src/manifest/index.ts';
import { plainKey } from '../../plain-key.ts';
import { NOW, readText } from '../scratch.ts';

const imported = (language: 'cdk' | 'hcl', ...keys: readonly ObservedKey[]) =>
  renderManifest({
    gateway: { url: 'https://gateway.example.com', userId: 42 },
    keys,
    quotaPerUnit: { digits: 500_000n, scale: 0 },
    now: NOW,
    language,
  });

/** Returns a program without its comments. */
const codeOf = (text: string): string => text.replace(/^ *\/\/.*$/gm, '');

const innocent = plainKey(1, { name: 'innocent', models: ['alpha-chat-1'] });

describe('text that CDK would mistake for a token', () => {
  test.each<[string, Partial<ObservedKey>, string]>([
    ['a group', { group: 'g${TfToken[TOKEN.1]}' }, 'group'],
    ['a model', { models: ['alpha-chat-1', '#{TfToken[TOKEN.1]}'] }, 'models'],
    ['the beginning of one', { models: ['&{TfToken['] }, 'models'],
    ['a text of tiers', { smartRouting: true, smartRouteTiers: '[{"$${TfToken[TOKEN.1]}":1}]' }, 'smartRouting'],
    ['a number', { smartRouting: true, smartRouteTiers: '[-1.8881545897087505e+289]' }, 'smartRouting'],
  ])('is the only thing omitted from a program: %s', (_, hostile, field) => {
    const { text, skipped } = imported('cdk', innocent, plainKey(2, { name: 'hostile', ...hostile }));
    expect(skipped).toEqual([]);
    expect(text).toMatch(new RegExp(`// ${field} is omitted: CDK would mistake (?:the text|a number) for a token`));
    expect(codeOf(text)).not.toMatch(/TfToken|e\+?289/);
    expect(text).toContain("name: 'hostile'");
    expect(text).toContain("models: ['alpha-chat-1']");
  });

  test('omits only the key when it is in its name', () => {
    const hostile = plainKey(2, { name: '${TfToken[TOKEN.1]}' });
    const { text, skipped } = imported('cdk', innocent, hostile);
    expect(skipped).toEqual([{ id: 2, name: hostile.name, reason: 'CDK would mistake the text for a token' }]);
    expect(codeOf(text)).not.toContain('TfToken');
    expect(text).toContain("name: 'innocent'");
  });

  test('is ordinary text for Terraform itself', () => {
    const { text } = imported('hcl', plainKey(2, { group: 'g${TfToken[TOKEN.1]}', models: ['#{TfToken[TOKEN.1]}'] }));
    expect(text).toContain('"g$${TfToken[TOKEN.1]}"');
    expect(text).toContain('"#{TfToken[TOKEN.1]}"');
  });

  test('omits a key that would otherwise be created without its list of models', async () => {
    const { manifest } = await readText(
      'version: 1\nkeys: { a: {}, b: { models: ["#{TfToken[TOKEN.1]}"], checks: [c] } }\nchecks: { c: { module: chat } }\n',
    );
    if (!manifest) throw new Error('it was not read');
    const { text, leftOut } = convertManifest({ manifest, language: 'cdk', now: NOW });
    expect(leftOut).toContainEqual({
      key: 'b',
      what: 'the key is omitted: models: CDK would mistake the text for a token',
    });
    expect(codeOf(text)).not.toContain('TfToken');
  });
});

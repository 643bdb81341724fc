import { describe, expect, it } from 'vitest';
import { blankCredentials, looksLikeCredential, maskCredentials } from '../../src/domain/index.ts';

const letters = (count: number): string => 'aB3dE5gH7'.repeat(20).slice(0, count);
/** Assembled here, so that no scanner of repositories reports this file. */
const join = (...parts: string[]): string => parts.join('');

const CREDENTIALS: readonly (readonly [string, string])[] = [
  ['an API key of the gateway', `sk-${letters(48)}`],
  ['a project key of a vendor', `sk-proj-${letters(40)}_x-${letters(8)}`],
  ['a key of another vendor', `sk-ant-api03-${letters(60)}`],
  ['a JSON Web Token', join('eyJ', letters(17), '.', 'eyJ', letters(30), '.', letters(43))],
  ['a token of GitHub', join('gh', 'p_', letters(36))],
  ['a fine-grained token of GitHub', join('github', '_pat_', letters(22), '_', letters(59))],
  ['a token of GitLab', join('glp', 'at-', letters(20))],
  ['an access key of AWS', join('AK', 'IA', 'ABCDEFGHIJKLMNOP')],
  ['a token of Slack', join('xo', 'xb-', '123456789012-', letters(24))],
  ['a key of Google', join('AI', 'za', letters(35))],
  ['a token of npm', join('np', 'm_', letters(36))],
  ['a header', `Authorization: Basic ${letters(32)}=`],
  ['a bearer token', `Bearer ${letters(24)}`],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${letters(64)}\n-----END RSA PRIVATE KEY-----`],
  ['a private key that is cut off', `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n${letters(64)}`],
];

describe('a text that is shaped like a credential', () => {
  it.each(CREDENTIALS)('is recognized, blanked and masked: %s', (_, credential) => {
    const text = `before ${credential} after`;
    const secret = letters(20).slice(4, 16);
    expect(looksLikeCredential(text)).toBe(true);
    expect(maskCredentials(text)).toContain('‹secret›');
    expect(maskCredentials(text)).not.toContain(secret);
    expect(blankCredentials(text)).not.toContain(secret);
    expect(blankCredentials(text)).toHaveLength(text.length);
    expect(blankCredentials(text).split('\n')).toHaveLength(text.split('\n').length);
  });

  it.each([
    'sk-production-checkout-search-europe',
    'desk-support-assistant-europe-west-1',
    'task-prod-nightly-batch-processing',
    'alpha-chat-1, text-embedding-3-small',
    'ghp_short',
    'AKIAsomething-else',
    'npm_config_registry',
    'The bearer of this key',
    'Authorization: Bearer ‹secret›',
    '-----BEGIN CERTIFICATE-----',
    '2001:db8:20::/48',
    'https://gateway.example.com/v1',
    'a-very-long-name-of-a-key-that-is-not-a-secret-1',
  ])('is not this one: %s', (text) => {
    expect([looksLikeCredential(text), maskCredentials(text)]).toEqual([false, text]);
  });

  it('is found in a long text in linear time', () => {
    for (const text of ['sk-', 'eyJ', 'sk-a-', 'Bearer ', '-----BEGIN ', 'a', 'AKIA', '.'].map((part) =>
      part.repeat(40_000),
    )) {
      expect(typeof looksLikeCredential(text)).toBe('boolean');
    }
  });
});

describe('a text of megabytes', () => {
  const long = 'A'.repeat(20_000_000);

  it.each([
    ['a film in a data URI', `data:video/mp4;base64,${long}`, false],
    ['something that begins like a key', `sk-${long}`, true],
    ['something that begins like a header', `Bearer ${long}`, true],
    ['something that begins like a private key', `-----BEGIN PRIVATE KEY-----${long}`, true],
    ['something that begins like an address', `https://${long}`, false],
  ])('is searched like any other: %s', (_what, text, isSecret) => {
    expect(looksLikeCredential(text)).toBe(isSecret);
    expect(blankCredentials(text)).toHaveLength(text.length);
  });
});

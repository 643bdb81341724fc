import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateKey } from '../../constructs/cdk/key/validate-key.ts';
import { TERRAFORM_NAMES } from '../../src/domain/index.ts';
import { readManifest } from '../../src/manifest/index.ts';
import type { TerraformValue } from '../../src/terraform/codec/value.ts';
import { KEY_SCHEMA } from '../../src/terraform/keyplane/key/schema.ts';

const NOW = 1_763_683_200;
const LONG = 'é'.repeat(25);

/** Field, value as a manifest and a construct write it, and whether it is allowed. */
const CASES: readonly (readonly [field: string, value: unknown, isAllowed: boolean])[] = [
  ['name', LONG, true],
  ['name', `${LONG}x`, false],
  ['name', 'x'.repeat(51), false],
  ['name', ' a', false],
  ['name', 'a\u0007', false],
  ['name', 'a~20261125-1430', false],
  ['name', 'a~20261125-1430+7d', false],
  ['name', 'a~q20261125-0a1b2c3', false],
  ['name', 'a~20261325-1430', true],
  ['name', `sk-${'a'.repeat(30)}`, false],
  ['group', 'vip', true],
  ['group', 'a\tb', false],
  ['group', ' vip', false],
  ['models', 'any', true],
  ['models', ['alpha-chat-1', 'm:1/2'], true],
  ['models', [], false],
  ['models', ['a,b'], false],
  ['models', ['a '], false],
  ['allowIps', 'anywhere', true],
  ['allowIps', ['10.0.0.0/8', '::1', '2001:db8::/32'], true],
  ['allowIps', [], false],
  ['allowIps', ['10.1.2.3/8'], false],
  ['allowIps', ['10.0.0.0/33'], false],
  ['allowIps', ['010.0.0.1'], false],
  ['allowIps', ['::10.0.0.08'], false],
  ['expires', 'never', true],
  ['expires', '2030-03-31T00:00:00+02:00', true],
  ['expires', '2030-02-30T00:00:00Z', false],
  ['expires', '2030-03-31', false],
  ['expires', 'soon', false],
  ['budget', 'unlimited', true],
  ['budget', { usd: 0, per: 'lifetime' }, true],
  ['budget', { usd: 1, per: 'lifetime', below: { usd: 1 } }, false],
  ['budget', { usd: '0.000000000000000001', per: 'lifetime' }, true],
  ['budget', { usd: '0.0000000000000000001' }, false],
  ['budget', { usd: 1_000_000_000, per: 'lifetime' }, true],
  ['budget', { usd: '1000000000.01' }, false],
  ['budget', { usd: -0.01 }, false],
  ['budget', { quota: 500_000_000_000_000, per: 'lifetime' }, true],
  ['budget', { quota: 1.5 }, false],
  ['budget', { usd: 1, quota: 1 }, false],
  ['budget', { usd: 1, per: 'month' }, true],
  ['budget', { usd: 1, per: '7d' }, true],
  ['budget', { usd: 1, per: '0d' }, false],
  ['budget', { usd: 1, per: 'year' }, false],
  ['budget', { usd: 1, initial: true }, true],
  ['budget', { usd: 1, below: { usd: 1 } }, true],
  ['budget', { usd: 1, below: { usd: 2 } }, false],
  ['budget', { usd: 1, below: { quota: 2 } }, true],
  ['budget', { usd: 1, per: 'day', below: { usd: 1 } }, false],
  ['smartRouting', { tiers: { a: [1, 'b', null] } }, true],
  ['smartRouting', {}, true],
  ['smartRouting', { tiers: null }, false],
];

/** The value as the provider gets it from Terraform. */
function attributeValue(field: string, value: unknown): TerraformValue {
  if (field === 'budget') return (value === 'unlimited' ? { unlimited: true } : value) as TerraformValue;
  if (field === 'smartRouting') return JSON.stringify((value as { tiers?: unknown }).tiers) ?? '';
  return typeof value === 'string' && ['models', 'allowIps'].includes(field) ? [value] : (value as TerraformValue);
}

const allowedByProvider = (field: string, value: unknown): boolean => {
  const name = field === 'name' ? 'name' : TERRAFORM_NAMES[field as keyof typeof TERRAFORM_NAMES];
  return (KEY_SCHEMA.attributes[name]?.check?.(attributeValue(field, value)) ?? []).length === 0;
};

const allowedByConstructs = (field: string, value: unknown): boolean =>
  validateKey({ name: 'a', [field]: value }, { now: NOW, isRepeated: false, valid: new Set() }).errors.length === 0;

describe('Manifest, provider and constructs judge alike', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-rules-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(CASES)('%s of %j: %s', async (field, value, isAllowed) => {
    const keys = field === 'name' ? { [value as string]: {} } : { a: { [field]: value } };
    const file = join(folder, `${CASES.findIndex(([f, v]) => f === field && v === value)}.json`);
    await writeFile(file, JSON.stringify({ version: 1, keys }));
    const { manifest } = await readManifest([file], { env: {}, cwd: folder, now: NOW });
    expect({
      manifest: manifest !== undefined,
      provider: allowedByProvider(field, value),
      constructs: allowedByConstructs(field, value),
    }).toEqual({ manifest: isAllowed, provider: isAllowed, constructs: isAllowed });
  });
});

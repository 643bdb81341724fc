import { describe, expect, it } from 'vitest';
import { keyData } from '../../../src/cli/output/json/key-data.ts';
import { renderKey, renderKeys } from '../../../src/cli/output/keys.ts';
import { paintOf } from '../../../src/cli/output/layout/paint.ts';
import { declarationsOf } from '../../../src/cli/session/declarations.ts';
import { type ObservedKey, quota, SETTING_NAMES, SETTINGS } from '../../../src/domain/index.ts';
import { emptyAccount, live, NOW } from '../../reconcile/account.ts';

async function observedKey(more: Parameters<typeof live>[1]): Promise<ObservedKey> {
  const store = emptyAccount();
  await store.create(live('prod', more));
  const [key] = await store.walk();
  return key as ObservedKey;
}

const TIERS = '[["alpha"],["beta"]]';

async function shown(more: Parameters<typeof live>[1]) {
  const key = await observedKey(more);
  const scale = { quotaPerUnit: await emptyAccount().quotaPerUnit(), now: NOW };
  const text = renderKey(key, scale, { paint: paintOf(false), width: 80, mask: 'sk-****' });
  return { text, data: keyData(key, scale) };
}

describe('a key', () => {
  it('has a row for every setting of the field table', async () => {
    const { text } = await shown({ smartRouteTiers: TIERS });
    for (const name of SETTING_NAMES.filter((each) => each !== 'name')) expect(text).toContain(SETTINGS[name].label);
    expect(text).toContain(`routing tiers      ${TIERS}`);
  });

  it('has every setting as JSON, by its manifest name', async () => {
    const { data } = await shown({ expires: NOW, smartRouteTiers: TIERS, remain: quota(250_000) });
    expect(data).toMatchObject({
      name: 'prod',
      group: 'default',
      crossGroupRetry: false,
      models: null,
      allowIps: null,
      expires: '2026-11-20T12:00:00Z',
      unlimited: false,
      remaining: { quota: 250_000, usd: '0.500000' },
      smartRouting: false,
      smartRouteTiers: TIERS,
    });
  });

  it('has a list that holds the word for no restriction as the list that it is', async () => {
    const { text, data } = await shown({ models: ['any'] });
    expect(text).toMatch(/models +"any"\n/);
    expect(data).toMatchObject({ models: ['any'] });
    expect((await shown({ models: null })).text).toMatch(/models +any\n/);
  });

  it('has the stored values of which it shows the nearest that are possible', async () => {
    const odd = { ...(await observedKey({})), odd: [{ field: 'status', stored: '77' }] };
    const scale = { quotaPerUnit: await emptyAccount().quotaPerUnit(), now: NOW };
    expect(renderKey(odd, scale, { paint: paintOf(false), width: 80, mask: 'sk-****' })).toMatch(
      /odd values +status 77/,
    );
    expect(renderKeys([odd], { ...scale, declarations: declarationsOf(undefined) }, 80)).toMatch(
      /\n\n1 key\nprod \(id 1\) has status 77$/,
    );
    expect(keyData(odd, scale)).toMatchObject({ odd: [{ field: 'status', stored: '77' }] });
  });

  it('has null for tiers that are not set', async () => {
    expect((await shown({})).data).toMatchObject({ smartRouteTiers: null });
  });
});

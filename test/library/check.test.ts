import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openGatewayClient } from '../../src/client/index.ts';
import { Secret } from '../../src/domain/index.ts';
import { createKeyplane, defineManifest, type ManifestDocument } from '../../src/index.ts';
import { startReferenceGateway } from '../../src/reference/index.ts';
import { scratchFolder } from './account.ts';

const ALL = { budget: 'unlimited' } as const;

const LISTS_MODELS = { ...ALL, checks: ['model-list'] };

const declared = (keys: NonNullable<ManifestDocument['keys']>) => defineManifest({ keys });

/** Keyplane over a reference gateway without keys. */
async function open() {
  const reference = await startReferenceGateway({ profile: 'deployed' });
  const [account] = reference.accounts;
  if (!account) throw new Error('there is no account');
  const accessToken = new Secret(account.accessToken);
  const gateway = openGatewayClient({ url: reference.url, userId: account.userId, accessToken });
  onTestFinished(async () => {
    await gateway.close();
    await reference.close();
  });
  const stateFolder = scratchFolder();
  const keyplane = createKeyplane({ gateway, stateFolder });
  return { gateway, keyplane, ledger: join(stateFolder, 'tasks.jsonl') };
}

describe('checks through the object of the library', () => {
  it('are the check step of an apply, and pass for a key that works', async () => {
    const { keyplane } = await open();
    const report = await keyplane.apply(await declared({ works: LISTS_MODELS }));
    expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
    expect(report.checks?.fatal).toBeUndefined();
    expect(report.checks?.results).toMatchObject([
      { key: 'works', check: 'model-list', verdict: 'passed', attempts: 1 },
    ]);
  });

  it('are not run by an apply that turns them off, or that writes nothing', async () => {
    const { keyplane } = await open();
    const keys = { works: LISTS_MODELS };
    expect((await keyplane.apply(await declared(keys), { check: false })).checks).toBeUndefined();
    expect((await keyplane.apply(await declared(keys))).checks).toBeUndefined();
  });

  it('prove the keys that a manifest selects, and hold no secret', async () => {
    const { gateway, keyplane, ledger } = await open();
    await keyplane.apply(await declared({ works: ALL }));
    const manifest = await declared({ works: LISTS_MODELS, gone: { checks: ['model-list'] } });
    const report = await keyplane.check(manifest, { ledger });
    expect(report.results).toMatchObject([
      { key: 'gone', verdict: 'failed', reason: 'the key does not exist in the account' },
      { key: 'works', verdict: 'passed' },
    ]);
    const [key] = await gateway.keys.list().toArray();
    if (!key) throw new Error('there is no key');
    const secret = (await gateway.keys.reveal(key.id)).reveal();
    expect(secret).toMatch(/^sk-/);
    expect(JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      secret.slice(3),
    );
  });

  it('refuse a selection that means nothing', async () => {
    const { keyplane, ledger } = await open();
    const manifest = await declared({ works: LISTS_MODELS });
    const misspelt = keyplane.check(manifest, { ledger, select: ['model-lsit'] });
    await expect(misspelt).rejects.toMatchObject({ code: 'usage.invalid' });
    await expect(keyplane.check(manifest, { ledger, only: ['wroks'] })).rejects.toMatchObject({
      code: 'usage.invalid',
    });
  });

  it('begin none after an abort, which the report shows', async () => {
    const { keyplane, ledger } = await open();
    await keyplane.apply(await declared({ works: ALL }));
    const manifest = await declared({ works: LISTS_MODELS });
    const report = await keyplane.check(manifest, { ledger, signal: AbortSignal.abort() });
    expect(report).toMatchObject({ interrupted: true, results: [{ verdict: 'skipped', attempts: 0 }] });
  });
});

import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineCheck } from '../../src/checks/index.ts';
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

  it('cost nothing beyond a limit, and an amount that is not one is refused before anything is sent', async () => {
    const { keyplane, ledger } = await open();
    const chat = { budget: 'unlimited', checks: ['pong'] } as const;
    const pong = { module: 'chat', model: 'alpha-chat-1' } as const;
    const manifest = await defineManifest({ keys: { works: chat }, checks: { pong } });
    await keyplane.apply(manifest, { check: false });
    await expect(keyplane.check(manifest, { ledger, maxCost: 'a lot' })).rejects.toMatchObject({
      code: 'request.invalid',
    });
    const report = await keyplane.check(manifest, { ledger, maxCost: 0 });
    expect(report).toMatchObject({ capReached: true, results: [{ key: 'works', verdict: 'skipped', attempts: 0 }] });
  });

  it('are limited by the options of the check step, and report when they are over', async () => {
    const { keyplane } = await open();
    const keys = { works: { budget: 'unlimited', checks: ['pong'] } } as const;
    const manifest = await defineManifest({ keys, checks: { pong: { module: 'chat', model: 'alpha-chat-1' } } });
    const seen: string[] = [];
    const report = await keyplane.apply(manifest, { check: { maxCost: '0', onEvent: ({ kind }) => seen.push(kind) } });
    expect(report.checks).toMatchObject({ capReached: true, results: [{ verdict: 'skipped' }] });
    expect([seen[0], seen.at(-1)]).toEqual(['begin', 'end']);
  });

  it('prove only the keys of an owner, and refuse one that owns nothing', async () => {
    const { keyplane, ledger } = await open();
    const manifest = await declared({
      mine: { ...LISTS_MODELS, owner: 'search' },
      other: { ...LISTS_MODELS, owner: 'shop' },
    });
    await keyplane.apply(manifest, { check: false });
    const report = await keyplane.check(manifest, { ledger, owners: ['search'] });
    expect(report.results.map(({ key }) => key)).toEqual(['mine']);
    const nobody = keyplane.check(manifest, { ledger, owners: ['nobody'] });
    await expect(nobody).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('include those of the program, for each key that the run is about', async () => {
    const { keyplane, ledger } = await open();
    const manifest = await declared({ works: LISTS_MODELS, other: ALL });
    await keyplane.apply(manifest, { check: false });
    const mine = defineCheck({ name: 'mine', schedule: 'free', run: ({ claim }) => claim('it works', true) });
    const dear = defineCheck({ name: 'dear', schedule: 'costly', run: ({ claim }) => claim('it works', true) });
    const ran = async (request: Parameters<typeof keyplane.check>[1]) =>
      (await keyplane.check(manifest, { ledger, extra: [mine, dear], ...request })).results
        .filter(({ attempts }) => attempts > 0)
        .map(({ key, check }) => `${key} ${check}`)
        .toSorted();
    expect(await ran({})).toEqual(['other mine', 'works mine', 'works model-list']);
    expect(await ran({ only: ['other'] })).toEqual(['other mine']);
    expect(await ran({ select: ['mine'] })).toEqual(['other mine', 'works mine']);
    expect(await ran({ select: ['dear'], only: ['works'] })).toEqual(['works dear']);
    expect(await ran({ costly: true, only: ['works'] })).toEqual(['works dear', 'works mine', 'works model-list']);
    const twice = keyplane.check(manifest, { ledger, extra: [mine, mine] });
    await expect(twice).rejects.toMatchObject({ code: 'request.invalid' });
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
    await keyplane.apply(await declared({ works: ALL, second: ALL }));
    const manifest = await declared({ works: LISTS_MODELS, second: LISTS_MODELS });
    const stop = new AbortController();
    const report = await keyplane.check(manifest, { ledger, signal: stop.signal, onEvent: () => stop.abort() });
    expect(report.interrupted).toBe(true);
    const early = keyplane.check(manifest, { ledger, signal: AbortSignal.abort(new Error('enough')) });
    await expect(early).rejects.toMatchObject({ code: 'gateway.interrupted', cause: new Error('enough') });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyId, quota, renderInstant, type UsageEntry } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { USAGE } from '../../../../src/terraform/keyplane/data/usage.ts';
import { type LogEntry, usageFromWire } from '../../../../src/wire/index.ts';
import { NOW, openStage, type Stage } from '../../../checks/stage.ts';
import { contextFor } from '../context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('contract');
  await stage.control.spend(1, 700);
  stage.advance(3_600_000);
  await stage.control.spend(1, 250_000);
  await stage.control.spend(2, 400_000);
  await stage.control.spend(2, 100_000);
});
afterEach(() => stage.close());

const CONFIG: TerraformObject = { since: null, key_id: null };
const LATER = renderInstant(NOW + 60);

const read = (config: Partial<TerraformObject> = {}, context = contextFor(stage.gateway)) =>
  USAGE.read({ ...CONFIG, ...config } as TerraformObject, context);

/** Entries of one second each, newest first, a page at a time, without an end. */
async function* endless() {
  for (let at = NOW; ; at -= 1) {
    const entry: UsageEntry = { identity: String(at), at, keyId: keyId(1), keyName: 'open', spent: quota(1) };
    yield [entry];
  }
}

describe('keyplane_usage', () => {
  it('returns the total use of the account, without reading the log', async () => {
    await stage.counts();
    expect(await read()).toMatchObject({
      consumed_quota: 750_700,
      consumed_usd: 1.5014,
      spent_quota: null,
      spent_usd: null,
      keys: null,
    });
    expect(await stage.counts()).not.toHaveProperty('GET /api/log/self');
  });

  it('returns the use of each key since an instant, largest first', async () => {
    expect(await read({ since: LATER })).toMatchObject({
      since: LATER,
      spent_quota: 750_000,
      spent_usd: 1.5,
      keys: [
        { id: 2, name: 'narrow', spent_quota: 500_000, spent_usd: 1, entries: 2 },
        { id: 1, name: 'open', spent_quota: 250_000, spent_usd: 0.5, entries: 1 },
      ],
    });
    expect(await read({ since: renderInstant(NOW) })).toMatchObject({ spent_quota: 750_700 });
  });

  it('returns the use of one key, also of one that spent nothing', async () => {
    expect(await read({ since: LATER, key_id: 1 })).toMatchObject({ spent_quota: 250_000, keys: [{ name: 'open' }] });
    expect(await read({ since: LATER, key_id: 3 })).toMatchObject({ spent_quota: 0, spent_usd: 0, keys: [] });
  });

  it('gives an entry that names no id to the key of its name', async () => {
    const context = contextFor(stage.gateway);
    const entry = { at: NOW + 90, keyId: undefined, spent: quota(5) };
    const pages = [
      [
        { ...entry, identity: 'a', keyName: 'here' },
        { ...entry, identity: 'b', keyName: 'deleted' },
      ],
    ];
    const client = { ...context.client, store: { ...context.client.store, usage: () => pages as never } };
    const { keys } = await read({ since: LATER }, { ...context, client });
    expect(keys).toMatchObject([
      { id: null, name: 'deleted' },
      { id: 7, name: 'here' },
    ]);
  });

  it('counts only consumption and refunds, and no other record of the log', async () => {
    const context = contextFor(stage.gateway);
    const record = (id: number, type: number, fields: object) =>
      usageFromWire({ id, created_at: NOW + 90, type, quota: 0, token_id: 0, token_name: '', ...fields } as LogEntry);
    const pages = [
      [
        record(1, 2, { token_id: 2, token_name: 'narrow', quota: 500 }),
        record(2, 6, { token_id: 2, token_name: 'narrow', quota: 200 }),
        record(3, 1, { quota: 9_000 }),
        record(4, 4, {}),
        record(5, 7, { quota: 40 }),
        record(6, 5, { token_id: 2, token_name: 'narrow', quota: 30 }),
      ],
    ];
    const client = { ...context.client, store: { ...context.client.store, usage: () => pages as never } };
    expect(await read({ since: LATER }, { ...context, client })).toMatchObject({
      spent_quota: 300,
      keys: [{ id: 2, name: 'narrow', spent_quota: 300, entries: 2 }],
    });
  });

  it('refuses to read a log that is too long, and reports how much is missing', async () => {
    const context = contextFor(stage.gateway);
    const client = { ...context.client, store: { ...context.client.store, usage: endless } };
    const reading = read({ since: renderInstant(NOW - 3799) }, { ...context, client });
    await expect(reading).rejects.toMatchObject({
      diagnostics: [{ path: ['since'], detail: expect.stringContaining('1 h are missing') }],
    });
  });

  it.each<[TerraformObject, string]>([
    [{ key_id: 1 }, 'key_id'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: LATER, key_id: 77 }, 'key_id'],
  ])('is refused with %j at %s', async (config, field) => {
    await expect(read(config)).rejects.toMatchObject({ diagnostics: [{ path: [field] }] });
  });
});

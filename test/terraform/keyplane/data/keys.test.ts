import { describe, expect, it } from 'vitest';
import { decimalOf, quota } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import type { Client } from '../../../../src/terraform/keyplane/client.ts';
import { API_KEY, API_KEYS } from '../../../../src/terraform/keyplane/data/keys.ts';
import { KEY_SCHEMA, LOCAL_ATTRIBUTES } from '../../../../src/terraform/keyplane/key/schema.ts';
import { plainKey } from '../../../plain-key.ts';

const NOW = 1_800_000_000;

const KEYS = [
  plainKey(9, {
    name: 'prod-search',
    group: 'vip',
    models: ['a', 'b'],
    unlimited: false,
    remain: quota(500),
    used: quota(7),
  }),
  plainKey(3, { name: 'prod-old', expires: NOW - 1 }),
  plainKey(4, { name: 'twice', masked: 'not-hidden' }),
  plainKey(6, { name: 'word', models: ['any'], allowIps: ['anywhere'] }),
  plainKey(5, { name: 'twice', status: 'disabled', allowIps: ['10.0.0.0/8'] }),
];

const context = () => {
  const store = { list: async () => KEYS, quotaPerUnit: async () => decimalOf(500_000) };
  const client = { store, now: () => NOW } as unknown as Client;
  return { client, signal: new AbortController().signal, warn: () => {} };
};
const many = async (config: Partial<TerraformObject>) => {
  const { keys } = await API_KEYS.read({ name: null, status: null, group: null, keys: null, ...config }, context());
  return (keys as readonly TerraformObject[]).map(({ id }) => id);
};
const one = (config: Partial<TerraformObject>) => API_KEY.read({ id: null, name: null, ...config }, context());

describe('keyplane_api_keys', () => {
  it.each<[Partial<TerraformObject>, readonly number[]]>([
    [{}, [3, 4, 5, 6, 9]],
    [{ name: 'prod-*' }, [3, 9]],
    [{ status: 'expired' }, [3]],
    [{ status: 'disabled' }, [5]],
    [{ group: 'vip' }, [9]],
    [{ name: 'prod-*', group: 'default' }, []],
  ])('with %j are %j', async (config, ids) => {
    expect(await many(config)).toEqual(ids);
  });

  it('have their IDs and their names, for `for_each`', async () => {
    const found = await API_KEYS.read({ name: 'prod-*', status: null, group: null, keys: null }, context());
    expect(found).toMatchObject({ ids: [3, 9], names: ['prod-old', 'prod-search'] });
  });

  it('refuse a status that there is not', async () => {
    await expect(many({ status: 'off' })).rejects.toMatchObject({ diagnostics: [{ path: ['status'] }] });
  });
});

describe('keyplane_api_key', () => {
  it('quotes an entry with the spelling of the word for no restriction', async () => {
    expect(await one({ id: 6 })).toMatchObject({ models: ['"any"'], allow_ips: ['"anywhere"'] });
    expect(await one({ id: 3 })).toMatchObject({ models: ['any'], allow_ips: ['anywhere'] });
  });

  it('gives a key as it is, by id or by name', async () => {
    const found = {
      id: 9,
      name: 'prod-search',
      status: 'enabled',
      stored_status: 'enabled',
      group: 'vip',
      cross_group_retry: false,
      models: ['a', 'b'],
      allow_ips: ['anywhere'],
      expires_at: 'never',
      unlimited: false,
      remaining_quota: 500,
      used_quota: 7,
      masked_key: 'abcd**********wxyz',
      enabled: true,
      created_at: null,
      budget: { unlimited: null, usd: 0.001014, quota: null, per: 'lifetime', below: null, initial: null },
      smart_routing_tiers: null,
    };
    expect(await one({ id: 9 })).toEqual(found);
    expect(await one({ name: 'prod-search' })).toEqual(found);
  });

  it('has every attribute of the resource but those that only Terraform has', () => {
    // A data source reads one key at the gateway; a resource that rotates is several of them, and lists the others.
    const ofResource = [...LOCAL_ATTRIBUTES, 'old_generations'];
    const gatewayHas = Object.keys(KEY_SCHEMA.attributes).filter((name) => !ofResource.includes(name));
    expect(Object.keys(API_KEY.schema.attributes).sort()).toEqual([...gatewayHas, 'unlimited'].sort());
  });

  it('returns the real status of a key, and no mask that hides nothing', async () => {
    expect(await one({ id: 3 })).toMatchObject({
      status: 'expired',
      stored_status: 'enabled',
      expires_at: '2027-01-15T07:59:59Z',
      remaining_quota: null,
      used_quota: null,
    });
    expect(await one({ id: 4 })).toMatchObject({ masked_key: '(hidden)' });
  });

  it.each<[Partial<TerraformObject>, string, string]>([
    [{}, 'name', 'Set either `id` or `name`'],
    [{ id: 1, name: 'x' }, 'id', 'Set either `id` or `name`'],
    [{ id: 77 }, 'id', 'no key with the id 77'],
    [{ name: 'nobody' }, 'name', 'no key named "nobody"'],
    [{ name: 'twice' }, 'name', 'Several keys'],
  ])('is refused with %j at %s', async (config, field, message) => {
    await expect(one(config)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      diagnostics: [{ path: [field] }],
    });
  });
});

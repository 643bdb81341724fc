import { expect, it } from 'vitest';
import { createBody, KeyRecord, keyFromWire, updateBody } from '../../src/wire/index.ts';

const read = (more: Record<string, unknown>) => {
  const raw = { id: 7, name: 'a', status: 1, ...more };
  return keyFromWire(KeyRecord.parse(raw), raw);
};

it('decodes a record with only id, name and status as a plain key that may not spend', () => {
  const { record, ...key } = read({});
  expect(record).toEqual({ id: 7, name: 'a', status: 1 });
  expect(key).toEqual({
    id: 7,
    name: 'a',
    status: 'enabled',
    group: '',
    crossGroupRetry: false,
    models: null,
    allowIps: null,
    expires: null,
    unlimited: false,
    remain: 0,
    smartRouting: false,
    smartRouteTiers: '',
    masked: '',
  });
});

it('decodes an enabled list without models as one that allows none', () => {
  for (const model_limits of [null, undefined, '']) {
    expect(read({ model_limits_enabled: true, model_limits }).models).toEqual([]);
  }
});

it.each([
  ['10.0.0.1,', ['10.0.0.1']],
  [' 10.0.0.1 ,\r\n\t10.0.0.0/8,,', ['10.0.0.1', '10.0.0.0/8']],
  ['10.0.0.1,10.0.0.2', ['10.0.0.1,10.0.0.2']],
  [',\n', null],
])(
  'decodes the addresses %j as gateways read them: blanks and commas at the ends of a line do not count',
  (text, rules) => {
    expect(read({ allow_ips: text }).allowIps).toEqual(rules);
  },
);

it('a mutable field that is read as null is written as what it means, or a gateway would store zero', () => {
  const base = read({ expired_time: null, remain_quota: null, unlimited_quota: null, model_limits: null, group: null });
  expect(base.expires).toBe(null);
  const body = updateBody(base, {});
  expect(body).toMatchObject({
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: false,
    model_limits: '',
    group: '',
  });
});

it('fields that are not known are echoed as they are, null and strange names too', () => {
  const extra = JSON.parse('{"rate_limit":null,"tags":["a",{"b":[1]}],"__proto__":{"x":1},"":0}');
  const body = updateBody(read(extra), { group: 'vip' });
  expect(JSON.parse(JSON.stringify(body))).toMatchObject({ rate_limit: null, tags: ['a', { b: [1] }], '': 0 });
  expect(body.group).toBe('vip');
});

it('omits the groups for auto, which a gateway keeps when they are omitted and may reject when they are echoed', () => {
  const base = read({ group: 'auto', auto_groups: ['a', 'gone'] });
  expect(base.autoGroups).toEqual(['a', 'gone']);
  expect(updateBody(base, { name: 'b' })).not.toHaveProperty('auto_groups');
  expect(read({ auto_groups: null }).autoGroups).toEqual([]);
  expect(read({})).not.toHaveProperty('autoGroups');
});

it('what the gateway owns is never written, nor the secret or its mask', () => {
  const owned = {
    user_id: 1,
    key: 'abcd**********wxyz',
    used_quota: 5,
    created_time: 1,
    accessed_time: 2,
    DeletedAt: null,
  };
  const body = updateBody(read(owned), {});
  for (const field of [...Object.keys(owned), 'status']) expect(body).not.toHaveProperty(field);
});

it.each([
  [{ status: 77 }, { status: 'disabled' }, { field: 'status', stored: '77' }],
  [{ status: 0 }, { status: 'disabled' }, { field: 'status', stored: '0' }],
  [{ remain_quota: 2n ** 53n }, { remain: Number.MAX_SAFE_INTEGER }, { field: 'remain_quota', stored: `${2n ** 53n}` }],
  [{ remain_quota: -(2n ** 63n) }, { remain: Number.MIN_SAFE_INTEGER }, { stored: `${-(2n ** 63n)}` }],
  [{ expired_time: -5 }, { expires: 0 }, { field: 'expired_time', stored: '-5' }],
  [{ expired_time: 2n ** 60n }, { expires: 8.64e12 }, { field: 'expired_time', stored: `${2n ** 60n}` }],
])('decodes %o as the nearest that is possible, lists it, and echoes it as it is stored', (fields, settings, odd) => {
  const key = read(fields);
  expect(key).toMatchObject({ ...settings, odd: [odd] });
  const { status: _, ...stored } = { status: 0, ...fields };
  expect(updateBody(key, { group: 'vip' })).toMatchObject(stored);
});

it.each<[object, readonly string[] | undefined]>([
  [
    { group: '', cross_group_retry: false },
    ['models', 'allowIps', 'expires', 'unlimited', 'remain', 'smartRouting', 'smartRouteTiers'],
  ],
  [{ group: 'vip', unlimited_quota: true }, undefined],
  [createBody(read({})), undefined],
])('lists the settings for which the record %o shows that the gateway has no field', (fields, lacks) => {
  expect(read(fields as Record<string, unknown>).lacks).toEqual(lacks);
});

it('lists no value of an ordinary record, overdrawn, expired or without limits', () => {
  for (const fields of [{ remain_quota: -5000 }, { expired_time: 0 }, { expired_time: -1 }, { remain_quota: null }])
    expect(read(fields)).not.toHaveProperty('odd');
});

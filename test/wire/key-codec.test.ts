import { expect, it } from 'vitest';
import { KeyRecord, keyFromWire, updateBody } from '../../src/wire/index.ts';

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
  const extra = JSON.parse('{"rate_limit":null,"auto_groups":["a",{"b":[1]}],"__proto__":{"x":1},"":0}');
  const body = updateBody(read(extra), { group: 'vip' });
  expect(JSON.parse(JSON.stringify(body))).toMatchObject({ rate_limit: null, auto_groups: ['a', { b: [1] }], '': 0 });
  expect(body.group).toBe('vip');
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

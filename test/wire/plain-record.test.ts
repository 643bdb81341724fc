import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainRecord, KeyRecord, keyFromWire, SETTING_FIELDS } from '../../src/wire/index.ts';

const FIELDS = [
  ...Object.keys(SETTING_FIELDS),
  ...['id', 'status', 'key', 'used_quota', 'created_time', 'accessed_time', 'auto_groups', 'another', '__proto__'],
];

/** Values of every type that JSON has, and of integers beyond a number. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    4,
    0.5,
    1e300,
    2 ** 53,
    2n ** 60n,
    '',
    ' a , a ',
    '10.0.0.0/8',
  ),
  fc.array(fc.constantFrom('vip', 1), { maxLength: 2 }),
  fc.constant({}),
);

const record = fc
  .tuple(
    fc.record({ id: fc.constantFrom<unknown>(1, 7, 0, '1'), status: fc.constantFrom<unknown>(1, 2, 9, 'on') }),
    fc.constantFrom<unknown>('app', '', 5),
    fc.array(fc.tuple(fc.constantFrom(...FIELDS), value), { maxLength: 3 }),
  )
  .map(([head, name, fields]) => {
    const raw: Record<string, unknown> = { ...head, name };
    for (const [field, each] of fields) {
      Object.defineProperty(raw, field, { value: each, enumerable: true, configurable: true, writable: true });
    }
    return raw;
  });

describe('a plain record of a key', () => {
  it('is one that the schema accepts as it is', () => {
    let plain = 0;
    fc.assert(
      fc.property(record, (raw) => {
        if (!isPlainRecord(raw)) return;
        plain += 1;
        expect({ ...KeyRecord.parse(raw) }).toStrictEqual(raw);
      }),
      { numRuns: 5000 },
    );
    expect(plain).toBeGreaterThan(200);
  });

  it.each([null, undefined, 'a', 1, [], [{ id: 1, name: 'a', status: 1 }], {}])('does not include %j', (raw) => {
    expect(isPlainRecord(raw)).toBe(false);
  });

  it('is decoded with the sets of other records', () => {
    const shared = new Map<string, unknown>();
    const read = (fields: object) => {
      const raw = { id: 1, name: 'a', status: 1, ...fields };
      const found = keyFromWire(KeyRecord.parse(raw), raw, shared);
      expect(found).toEqual(keyFromWire(KeyRecord.parse(raw), raw));
      return found;
    };
    const limits = { model_limits_enabled: true, model_limits: 'x,y', allow_ips: 'x,y' };
    const [one, other, off] = [read(limits), read(limits), read({ ...limits, model_limits_enabled: false })];
    expect(one.models).toBe(other.models);
    expect([one.models, one.allowIps, off.models]).toEqual([['x', 'y'], ['x,y'], null]);
  });
});

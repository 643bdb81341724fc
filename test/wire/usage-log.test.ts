import { describe, expect, it } from 'vitest';
import { LogEntry, logRecordFromWire, usageFromWire } from '../../src/wire/index.ts';

const entry = (fields: object = {}) => ({
  created_at: 5,
  type: 2,
  quota: 7,
  token_id: 3,
  token_name: 'a',
  request_id: 'r',
  ...fields,
});
const usage = (fields?: object) => usageFromWire(LogEntry.parse(entry(fields)));

describe('an entry of the usage log', () => {
  it.each([
    ['consumption', 2, 7],
    ['a refund', 6, -7],
    ['a type that nobody knows, which is taken for consumption', 9, 7],
    ['a type of 0', 0, 7],
    ['a top-up', 1, 0],
    ['management', 3, 0],
    ['a record of the system', 4, 0],
    ['an error', 5, 0],
  ])('of %s (type %i) spends %i', (_, type, spent) => {
    expect(usage({ type }).spent).toBe(spent);
  });

  it.each([
    ['a refund written as a negative number', { type: 6, quota: -7 }, -7],
    ['no quota', { quota: null }, 0],
  ])('with %s', (_, fields, spent) => {
    expect(usage(fields).spent).toBe(spent);
  });

  it.each([
    [2, 'consumption'],
    [7, 'login'],
    [9, 9],
  ])('of type %i is shown as %j', (type, shown) => {
    expect(logRecordFromWire(LogEntry.parse(entry({ type }))).type).toBe(shown);
  });

  it('belongs to a key by its id, or to none', () => {
    expect(usage().keyId).toBe(3);
    expect(usage({ token_id: 0 }).keyId).toBeUndefined();
    expect(usage({ token_id: undefined })).toMatchObject({ keyId: undefined, keyName: 'a' });
  });

  it('is the same entry wherever it is in the listing', () => {
    expect(usage({ id: 1 }).identity).toBe(usage({ id: 2 }).identity);
    expect(usage({ request_id: '', id: 1 }).identity).not.toBe(usage({ request_id: '', id: 2 }).identity);
    expect(usage({ type: 6 }).identity).not.toBe(usage().identity);
  });

  it('is read though a field that is only shown holds something odd', () => {
    const odd = {
      other: {},
      channel: 'x',
      is_stream: 0,
      ip: 1,
      use_time: '1',
      model_name: 5,
      content: [],
      request_id: 9,
    };
    expect(usage(odd).spent).toBe(7);
  });

  it.each([
    ['created_at', 'yesterday'],
    ['type', '2'],
    ['quota', '7'],
    ['token_id', 'x'],
  ])('is refused when %s is %j', (field, value) => {
    expect(LogEntry.safeParse(entry({ [field]: value })).success).toBe(false);
  });
});

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { decode, encode, many, map, maybe, message, one } from '../../../src/terraform/protocol/message.ts';
import { AttributePath, Diagnostic } from '../../../src/terraform/protocol/parts.ts';
import { SchemaResponse } from '../../../src/terraform/protocol/provider-messages.ts';

const Inner = message({ text: one(1, 'string') });
const All = message({
  text: one(1, 'string'),
  bytes: one(2, 'bytes'),
  flag: one(3, 'bool'),
  count: one(4, 'int64'),
  kind: one(5, 'enum'),
  inner: maybe(6, Inner),
  given: maybe(7, 'int64'),
  texts: many(8, 'string'),
  inners: many(9, Inner),
  byName: map(10, Inner),
});

const EMPTY = {
  text: '',
  bytes: new Uint8Array(),
  flag: false,
  count: 0,
  kind: 0,
  inner: undefined,
  given: undefined,
  texts: [],
  inners: [],
  byName: new Map(),
};

describe('a message of the protocol', () => {
  it('shares no list and no map with another one', () => {
    const [one, other] = [decode(All, EMPTY.bytes), decode(All, EMPTY.bytes)];
    expect(one).toEqual(other);
    for (const name of ['texts', 'inners', 'byName'] as const) expect(one[name]).not.toBe(other[name]);
  });

  it('comes back as it was', () => {
    const whole = {
      text: 'grün \u{1f600}',
      bytes: Uint8Array.of(0, 255),
      flag: true,
      count: 2 ** 53 - 1,
      kind: 2,
      inner: { text: 'x' },
      given: 0,
      texts: ['a', '', 'b'],
      inners: [{ text: 'x' }, { text: '' }],
      byName: new Map([
        ['__proto__', { text: 'x' }],
        ['', { text: '' }],
      ]),
    };
    expect(decode(All, encode(All, whole))).toEqual(whole);
  });

  it('encodes nothing for empty fields, and distinguishes a field set to empty from an omitted one', () => {
    expect(encode(All, { text: '', flag: false, count: 0, bytes: new Uint8Array() })).toHaveLength(0);
    expect(decode(All, new Uint8Array())).toEqual(EMPTY);
    expect(decode(All, encode(All, { given: 0 })).given).toBe(0);
    expect(decode(All, encode(All, { inner: {} })).inner).toEqual({ text: '' });
  });

  it('has negative numbers', () => {
    expect(decode(All, encode(All, { count: -5 })).count).toBe(-5);
  });

  it('passes over fields that a newer core may send', () => {
    const writer = new BinaryWriter();
    writer.tag(99, WireType.LengthDelimited).string('new').tag(98, WireType.Varint).int64(7);
    writer.tag(1, WireType.LengthDelimited).string('known');
    expect(decode(All, writer.finish()).text).toBe('known');
  });

  it('is refused when it ends in the middle', () => {
    const bytes = encode(All, { text: 'something' });
    expect(() => decode(All, bytes.subarray(0, 4))).toThrow();
  });

  it('has the numbers that core knows', () => {
    const path = encode(AttributePath, { steps: [{ attributeName: 'budget' }, { elementKeyInt: 0 }] });
    expect(Buffer.from(path).toString('hex')).toBe('0a080a06627564676574' + '0a021800');
    const reported = encode(Diagnostic, { severity: 1, summary: 'no', detail: 'd' });
    expect(Buffer.from(reported).toString('hex')).toBe('0801' + '12026e6f' + '1a0164');
  });

  it('holds messages that hold themselves', () => {
    const attribute = (name: string, inner?: string) => ({
      name,
      type: new Uint8Array(),
      ...(inner ? { nestedType: { nesting: 1, attributes: [{ name: inner }] } } : {}),
    });
    const sent = {
      resourceSchemas: new Map([['a', { version: 1, block: { attributes: [attribute('budget', 'usd')] } }]]),
    };
    const read = decode(SchemaResponse, encode(SchemaResponse, sent)).resourceSchemas.get('a');
    expect(read?.block?.attributes[0]?.nestedType?.attributes[0]?.name).toBe('usd');
  });
});

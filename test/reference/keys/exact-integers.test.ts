import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness.ts';

const LARGEST = '9223372036854775807';
const LEAST = '-9223372036854775808';
/** A number would round it. */
const WIDE = '9007199254740993';

/** A body as text, because a number in a test would be rounded. */
const settings = (name: string, more: string): string => `{"name":"${name}","unlimited_quota":true,${more}}`;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ profile: 'deployed' });
});
afterEach(() => gateway.close());

const post = (name: string, more: string) => gateway.call('POST', '/api/token/', settings(name, more));

/** Finds the digits of a field in the text of an answer. */
const shown = (text: string, field: string): readonly string[] =>
  [...text.matchAll(new RegExp(`"${field}":(-?\\d+)`, 'g'))].map(([, digits]) => digits ?? '');

describe('a deployed gateway', () => {
  it.each([
    ['remain_quota', WIDE],
    ['remain_quota', `-${WIDE}`],
    ['remain_quota', LARGEST],
    ['remain_quota', LEAST],
    ['expired_time', WIDE],
    ['expired_time', LARGEST],
    ['expired_time', LEAST],
  ])('answers a %s of %s exactly wherever it shows the key', async (field, value) => {
    expect((await post('wide', `"${field}":${value}`)).success).toBe(true);
    const paths = ['/api/token/', '/api/token/1', '/api/token/search?keyword=wide'];
    for (const path of paths) expect(shown((await gateway.call('GET', path)).text, field), path).toEqual([value]);
  });

  it('answers a full update and a change of the status with exact integers', async () => {
    await post('wide', `"remain_quota":1`);
    const update = settings('wide', `"id":1,"remain_quota":${WIDE},"expired_time":${LARGEST}`);
    for (const [path, body] of [
      ['/api/token/', update],
      ['/api/token/?status_only=true', `{"id":1,"status":2}`],
    ] as const) {
      const { text } = await gateway.call('PUT', path, body);
      expect([shown(text, 'remain_quota'), shown(text, 'expired_time')], path).toEqual([[WIDE], [LARGEST]]);
    }
  });

  it('stores any integer of 64 bits as a status', async () => {
    await post('odd', '"remain_quota":1');
    await gateway.call('PUT', '/api/token/?status_only=true', `{"id":1,"status":${WIDE}}`);
    expect(shown((await gateway.call('GET', '/api/token/1')).text, 'status')).toEqual([WIDE]);
  });

  it.each([
    ['remain_quota', '9223372036854775808'],
    ['remain_quota', '-9223372036854775809'],
    ['expired_time', '9223372036854775808'],
    ['used_quota', '9223372036854775808'],
  ])('refuses a %s of %s', async (field, value) => {
    expect((await post('wide', `"${field}":${value}`)).success).toBe(false);
    expect(await gateway.storedKeys()).toEqual([]);
  });

  it('spends from an exact quota, and counts what was used exactly', async () => {
    await post('wide', `"remain_quota":${WIDE}`);
    await gateway.control('PATCH', '/keys/1', `{"used_quota":${WIDE}}`);
    await gateway.control('POST', '/spend', { keyId: 1, quota: 2 });
    const { text } = await gateway.call('GET', '/api/token/1');
    expect([shown(text, 'remain_quota'), shown(text, 'used_quota')]).toEqual([
      ['9007199254740991'],
      ['9007199254740995'],
    ]);
  });

  it('leaves the nearest integer of 64 bits where spending would go beyond them', async () => {
    await post('wide', `"remain_quota":${LEAST}`);
    await gateway.control('PATCH', '/keys/1', `{"used_quota":${LARGEST}}`);
    await gateway.control('POST', '/spend', { keyId: 1, quota: 2 });
    const { text } = await gateway.call('GET', '/api/token/1');
    expect([shown(text, 'remain_quota'), shown(text, 'used_quota')]).toEqual([[LEAST], [LARGEST]]);
  });

  it('keeps a key usable that expires after every time of a number', async () => {
    await post('wide', `"expired_time":${LARGEST}`);
    const authorization = `Bearer sk-${(await gateway.storedKeys())[0]?.key}`;
    expect((await gateway.call('GET', '/v1/models', undefined, { authorization })).status).toBe(200);
  });

  it('reads ids of any size', async () => {
    await post('kept', '"remain_quota":1');
    const answer = await gateway.call('POST', '/api/token/batch', `{"ids":[${LARGEST},${WIDE}]}`);
    expect([answer.success, answer.data]).toEqual([true, 0]);
  });
});

describe('a gateway of the contract', () => {
  it.each(['remain_quota', 'expired_time'])('refuses a %s that numbers would round', async (field) => {
    const contract = await startTestGateway();
    expect((await contract.call('POST', '/api/token/', settings('wide', `"${field}":${WIDE}`))).success).toBe(false);
    await contract.close();
  });
});

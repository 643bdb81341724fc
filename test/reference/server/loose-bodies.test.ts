import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANNA, headersOf, startTestGateway, type TestGateway } from '../harness.ts';

let deployed: TestGateway;
let contract: TestGateway;
beforeEach(async () => {
  deployed = await startTestGateway({ profile: 'deployed' });
  contract = await startTestGateway();
});
afterEach(async () => {
  await deployed.close();
  await contract.close();
});

/** Sends a create as bytes, so that only the test sets its type. */
async function create(at: TestGateway, body: string, type?: string): Promise<unknown> {
  const headers = { ...headersOf(ANNA), ...(type === undefined ? {} : { 'content-type': type }) };
  const answer = await fetch(`${at.url}/api/token/`, { method: 'POST', headers, body: new TextEncoder().encode(body) });
  return ((await answer.json()) as { success: unknown }).success;
}

const JSON_TYPE = 'application/json';
const KEY = '{"name":"a","unlimited_quota":true}';

describe('a body of the System API of a deployed gateway', () => {
  it.each([
    ['text after the object', `${KEY} and more`],
    ['a second object', `${KEY}{"name":"b"}`],
    ['a bracket after the object', `${KEY}]}`],
    ['blanks before the object', ` \t\r\n${KEY}`],
    ['null', 'null'],
    ['null and text after it', 'null and more'],
    ['a name with a NUL', '{"name":"a\\u0000b","unlimited_quota":true}'],
    ['a model with a NUL', '{"name":"a","unlimited_quota":true,"model_limits":"a\\u0000b"}'],
  ])('is accepted with %s, which the contract refuses', async (_, body) => {
    expect(await create(deployed, body, JSON_TYPE)).toBe(true);
    const isAlsoContract = body.trimStart() === KEY;
    expect(await create(contract, body, JSON_TYPE)).toBe(isAlsoContract);
  });

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nothing'])(
    'is read as JSON if its content type is %s',
    async (type) => {
      expect(await create(deployed, KEY, type)).toBe(true);
      expect(await create(contract, KEY, type)).toBe(false);
    },
  );

  it('is stored with the NUL of a name, and shown with it', async () => {
    await create(deployed, '{"name":"a\\u0000b","unlimited_quota":true}', JSON_TYPE);
    const { data } = await deployed.call('GET', '/api/token/1');
    expect(data).toMatchObject({ name: 'a\0b' });
    await deployed.control('POST', '/spend', { keyId: 1, quota: 1 });
    expect((await deployed.call('GET', '/api/log/self')).text).toContain('"token_name":"a\\u0000b"');
  });

  it.each([
    ['another value', '5'],
    ['a list', `[${KEY}]`],
    ['a text', '"a"'],
    ['an object without its end', '{"name":"a"'],
    ['a comma at the end', '{"name":"a",}'],
    ['a member without a value', '{"name"}'],
    ['a member without a name', '{:1}'],
    ['a name without quotes', '{name:"a"}'],
    ['a value that is not JSON', '{"name":"a","other":nil}'],
    ['brackets that do not match', '{"name":"a","other":[1}'],
    ['a byte order mark', `\ufeff${KEY}`],
    ['nothing', ''],
    ['an integer as a power of ten', '{"name":"a","remain_quota":1e3,"unlimited_quota":true}'],
    ['an integer with a fraction', '{"name":"a","remain_quota":5.0,"unlimited_quota":true}'],
    ['an integer with a leading zero', '{"name":"a","remain_quota":05,"unlimited_quota":true}'],
  ])('is refused for %s', async (_, body) => {
    expect(await create(deployed, body, JSON_TYPE)).toBe(false);
    expect(await deployed.storedKeys()).toEqual([]);
  });

  it('has its ids as integers', async () => {
    expect((await deployed.call('POST', '/api/token/batch', '{"ids":[1.0]}')).success).toBe(false);
  });
});

describe('a field of a body', () => {
  it.each([
    [
      'in capitals',
      '{"NAME":"a","UNLIMITED_QUOTA":true,"Group":"vip"}',
      { name: 'a', unlimited_quota: true, group: 'vip' },
    ],
    ['twice, of which the last counts', '{"name":"a","Name":"b","unlimited_quota":true}', { name: 'b' }],
    ['in its own case before another', '{"NAME":"b","name":"a","unlimited_quota":true}', { name: 'a' }],
    ['with letters that are the same in another case', '{"name":"a","ſtatus":1,"unlimited_quota":true}', { status: 1 }],
  ])('is read %s', async (_, body, stored) => {
    expect(await create(deployed, body, JSON_TYPE)).toBe(true);
    expect((await deployed.storedKeys())[0]).toMatchObject(stored);
  });

  it('is judged in any case', async () => {
    expect(await create(deployed, '{"name":"a","Status":"x","unlimited_quota":true}', JSON_TYPE)).toBe(false);
  });

  it('is read in any case by updates, changes of the status and batches', async () => {
    await create(deployed, KEY, JSON_TYPE);
    await deployed.call('PUT', '/api/token/', '{"ID":1,"Name":"b","Unlimited_Quota":true}');
    await deployed.call('PUT', '/api/token/?status_only=true', '{"Id":1,"STATUS":5}');
    expect((await deployed.storedKeys())[0]).toMatchObject({ name: 'b', status: 5 });
    expect((await deployed.call('POST', '/api/token/batch', '{"Ids":[1]}')).data).toBe(1);
  });

  it('is ignored in another case by the contract', async () => {
    expect(await create(contract, '{"name":"a","unlimited_quota":true,"REMAIN_QUOTA":5}', JSON_TYPE)).toBe(true);
    expect((await contract.storedKeys())[0]).toMatchObject({ remain_quota: 0 });
  });
});

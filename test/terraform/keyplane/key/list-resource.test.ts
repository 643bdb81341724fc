import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeValue } from '../../../../src/terraform/codec/msgpack.ts';
import type { TerraformValue } from '../../../../src/terraform/codec/value.ts';
import { KEY_IDENTITY, KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { PROVIDER } from '../../../../src/terraform/protocol/services.ts';
import { identityType, type Schema, typeOf } from '../../../../src/terraform/provider/schema.ts';
import { bytesOf, openServed, provider, type Served } from '../served.ts';

const typeName = 'keyplane_api_key';

let served: Served;
beforeEach(async () => {
  served = await openServed();
});
afterEach(() => served.close());

const find = (
  config: Readonly<Record<string, TerraformValue>>,
  more: { limit?: number; includeResourceObject?: boolean } = {},
) =>
  served.client.stream('provider', PROVIDER.listResource, {
    typeName,
    config: bytesOf(provider.listResources[typeName]?.schema as Schema, config),
    ...more,
  });

const identityOf = (event: Awaited<ReturnType<typeof find>>[number]) =>
  decodeValue(event.identity?.identityData?.msgpack ?? new Uint8Array(), identityType(KEY_IDENTITY));

describe('the keys that could be imported', () => {
  it('are found with what identifies them, and whole where that is wanted', async () => {
    const stored = await served.stage.gateway.store.walk();
    const events = await find({});
    expect(events.map(({ displayName }) => displayName)).toEqual(
      [...stored].sort((a, b) => a.id - b.id).map(({ name }) => name),
    );
    expect(events.map(identityOf)).toContainEqual({ id: 1, user_id: 42 });
    expect(events.every(({ resourceObject }) => resourceObject === undefined)).toBe(true);
    const [whole, ...others] = await find({ status: 'enabled' }, { limit: 1, includeResourceObject: true });
    expect(others).toEqual([]);
    const state = decodeValue(whole?.resourceObject?.msgpack ?? new Uint8Array(), typeOf(KEY_SCHEMA));
    expect(state).toMatchObject({ id: 1, status: 'enabled', enabled: true });
  });

  it('are imported by their identity, and only those of the own account', async () => {
    const importBy = (identity: Readonly<Record<string, TerraformValue>>) =>
      served.client.ask('provider', PROVIDER.importResourceState, {
        typeName,
        identity: { identityData: bytesOf(KEY_IDENTITY, identity) },
      });
    const { importedResources } = await importBy({ id: 1 });
    const [imported] = importedResources;
    expect(decodeValue(imported?.state?.msgpack ?? new Uint8Array(), typeOf(KEY_SCHEMA))).toMatchObject({ id: 1 });
    const foreign = await importBy({ id: 1, user_id: 7 });
    expect(foreign.diagnostics).toMatchObject([
      { summary: 'The key 1 belongs to user 7, and the provider acts for user 42' },
    ]);
    const none = await importBy({ id: 999 });
    expect(none.diagnostics).toMatchObject([{ summary: 'There is no key with the id 999' }]);
  });

  it('are listed without a name where no configuration may have it, so that the generated one is valid', async () => {
    const before = await served.stage.gateway.store.walk();
    const pasted = `sk-${'c4n4ry'.repeat(7)}`;
    // Core writes the letter and its accent as one character, which is another name.
    const names = [' lead', '', pasted, 'cafe\u0301', 'two\nlines\u001b[2J\u202e', 'a~20261125-1430'];
    for (const [index, name] of names.entries()) await served.stage.control.patchKey(index + 1, { name });
    const events = await find({}, { includeResourceObject: true });
    expect(events).toHaveLength(before.length);
    const states = events.map(({ resourceObject }) =>
      decodeValue(resourceObject?.msgpack ?? new Uint8Array(), typeOf(KEY_SCHEMA)),
    );
    expect(states.slice(0, 6)).toMatchObject([1, 2, 3, 4, 5, 6].map((id) => ({ id, name: null })));
    expect(events.map(({ displayName }) => displayName).slice(0, 6)).toEqual([
      ' lead',
      'key 2',
      '•'.repeat(pasted.length),
      'cafe\u0301',
      'two\\u{a}lines\\u{1b}[2J\\u{202e}',
      'a~20261125-1430',
    ]);
    expect(events.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  });

  it('are not listed with an empty filter', async () => {
    const [event, ...others] = await find({ status: 'sleeping' });
    expect([others, event?.diagnostics]).toEqual([
      [],
      [expect.objectContaining({ summary: expect.stringContaining('sleeping') })],
    ]);
  });
});

import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { ReferenceOptions } from '../../src/reference/index.ts';
import type { GatewayProfile } from '../../src/wire/index.ts';
import { openPlace, type Place } from './place.ts';

let place: Place;
afterEach(() => place.close());

const profile = (observed: GatewayProfile['observed'], more: object = {}): string =>
  JSON.stringify({ version: 1, level: 'write', observed, ...more });

const SMART = `  app:
    budget: { usd: 5 }
    group: vip
    smartRouting: { tiers: [{ models: [alpha-chat-1] }] }
    crossGroupRetry: true`;
const PLAIN = '  app: { budget: { usd: 5 } }';

async function open(server: ReferenceOptions['profile'], keys: string, chosen?: string): Promise<void> {
  place = await openPlace([], server);
  const gateway = chosen === undefined ? '' : `gateway: { profile: "${chosen}" }\n`;
  await place.write('keyplane.yaml', `version: 1\n${gateway}keys:\n${keys}\n`);
}

/** In one line, because reports are wrapped. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');

describe('a profile file that cannot be used ends a run before anything is sent:', () => {
  const page = '<!doctype html><title>Login</title>';
  it.each<[string, string, string]>([
    ['a page', page, 'is not a profile of a gateway: it is not JSON'],
    ['nothing', '', 'is not a profile of a gateway: it is not JSON'],
    ['another version', profile({}, { version: 2 }), 'version: must be 1'],
    ['another field', profile({}, { canary: 'a value' }), 'Unrecognized key: "canary"'],
    ['a value of another type', JSON.stringify({ version: 1, level: 'read', observed: { 'a.b': 7 } }), 'observed.a.b'],
    ['more than may be read', profile({ 'a.b': 'x'.repeat(2 ** 20) }), 'it is larger than 1 MiB'],
  ])('%s', async (_, text, expected) => {
    await open('contract', PLAIN, 'mine.json');
    await place.write('mine.json', text);
    for (const words of [['plan'], ['apply', '--yes'], ['keys', 'list']]) {
      const { code, stderr } = await place.run(words);
      expect([words, code]).toEqual([words, 3]);
      expect(flat(stderr)).toContain(expected);
      expect(stderr).not.toContain('Login');
    }
    expect(await place.control('DELETE', '/requests')).toMatchObject({ total: 0 });
  });

  it.each<[string, string, string]>([
    ['a path out of the folder', '../mine.json', 'it is outside the folder of the manifest'],
    ['a link out of the folder', 'link.json', 'a link leads out of the folder of the manifest'],
    [
      'a name that there is not',
      'deployd',
      'expected: `contract`, `deployed`, `deployed@1.0`, or the path of a `.json` file',
    ],
    ['a file that there is not', 'none.json', 'The profile'],
  ])('%s', async (_, chosen, expected) => {
    await open('contract', PLAIN, chosen);
    await symlink('/etc/hostname', join(place.folder, 'link.json'));
    const { code, stderr } = await place.run(['plan']);
    expect(code).toBe(3);
    expect(flat(stderr)).toContain(expected);
  });
});

test('a profile may have statements that nobody asks about', async () => {
  await open('contract', PLAIN, 'mine.json');
  await place.write('mine.json', profile({ 'keys.future.statement': 'another value' }));
  expect((await place.run(['apply', '--yes'])).code).toBe(0);
});

describe('the profile comes from', () => {
  const noted = 'according to its profile, this gateway does not have smart routing';
  const dropping = profile({ 'keys.keeps.smart_routing': 'dropped', 'keys.keeps.smart_route_tiers': 'dropped' });
  it.each<[string, string | undefined, readonly string[], Record<string, string>]>([
    ['the manifest', 'mine.json', [], {}],
    ['the environment, rather than from the manifest', 'contract', [], { KEYPLANE_GATEWAY_PROFILE: 'mine.json' }],
    [
      'the flag, rather than from the environment',
      undefined,
      ['--gateway-profile', 'mine.json'],
      { KEYPLANE_GATEWAY_PROFILE: 'contract' },
    ],
  ])('%s', async (_, chosen, flags, env) => {
    await open('contract', SMART, chosen);
    await place.write('mine.json', dropping);
    const { code, stdout } = await place.run(['plan', ...flags], { env });
    expect(code).toBe(0);
    expect(flat(stdout)).toContain(`app: ${noted}`);
  });
});

describe('before anything is written, a plan names the declared settings that a gateway does not keep:', () => {
  const smart = 'does not have smart routing';
  const retry = 'cross-group retry only in the group “auto”';
  it.each<[NonNullable<ReferenceOptions['profile']>, string | undefined, readonly string[]]>([
    ['contract', undefined, []],
    ['contract', 'contract', []],
    ['deployed', undefined, [`a gateway like this one (new-api v0.13.2) usually ${smart}`]],
    ['deployed', 'deployed', [`according to its profile, this gateway ${smart}`]],
    [
      'deployed@1.0',
      undefined,
      [`(new-api v1.0.0-rc.24) usually ${smart}`, `(new-api v1.0.0-rc.24) usually keeps ${retry}`],
    ],
    [
      'deployed@1.0',
      'deployed@1.0',
      [`according to its profile, this gateway ${smart}`, `according to its profile, this gateway keeps ${retry}`],
    ],
  ])('%s with profile %s', async (server, chosen, expected) => {
    await open(server, SMART, chosen);
    const { stdout } = await place.run(['plan']);
    const notes = flat(stdout).split(' - ').slice(1);
    expect(notes).toHaveLength(expected.length);
    for (const [i, text] of expected.entries()) expect(notes[i]).toContain(text);
    const applied = await place.run(['apply', '--yes']);
    expect(applied.code).toBe(0);
    expect(applied.stdout.includes('Settings that the gateway did not keep')).toBe(expected.length > 0);
  });
});

describe('a profile that is wrong about a setting', () => {
  test('and states that it is kept, does not hide that it was not', async () => {
    await open('deployed', SMART, 'mine.json');
    await place.write(
      'mine.json',
      profile({ 'keys.keeps.smart_routing': 'kept', 'keys.keeps.smart_route_tiers': 'kept' }),
    );
    expect((await place.run(['plan'])).stdout).not.toContain('Notes');
    const { stdout } = await place.run(['apply', '--yes']);
    expect(flat(stdout)).toContain(
      'Settings that the gateway did not keep - app: this gateway does not have smart routing',
    );
    expect(flat((await place.run(['drift'])).stdout)).toContain('app: this gateway does not have smart routing');
  });

  test('and states that it is dropped, is refuted by the key that has it', async () => {
    await open('contract', SMART, 'mine.json');
    await place.write('mine.json', profile({ 'keys.keeps.cross_group_retry': 'dropped' }));
    expect(flat((await place.run(['plan'])).stdout)).toContain(
      'according to its profile, this gateway keeps cross-group',
    );
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    expect(await place.keys()).toMatchObject([{ name: 'app', cross_group_retry: true, smart_routing: true }]);
    expect((await place.run(['plan'])).stdout).not.toContain('Notes');
  });
});

test('a gateway whose list contradicts the profile is read, and nothing is written to it', async () => {
  await open('contract', '  app: { budget: { usd: 5 } }\n  web: { budget: { usd: 5 } }', 'deployed');
  expect((await place.run(['plan'])).code).toBe(0);
  expect((await place.run(['keys', 'list'])).code).toBe(0);
  const { code, stdout, stderr } = await place.run(['apply', '--yes']);
  expect(code).toBe(1);
  expect(flat(stderr)).toContain(
    'error[gateway.unsupported]: The keys that the gateway lists contradict its profile: “keys.list.total: data.total”.',
  );
  expect(stdout).not.toContain('FAILED');
  expect(await place.keys()).toEqual([]);
});

describe('validate names the declared fields that a gateway does not keep', () => {
  const SMART_FIELD = { key: 'app', field: 'smartRouting' };
  const RETRY_FIELD = { key: 'app', field: 'crossGroupRetry' };
  it.each<[string, string | undefined, string, readonly string[], object]>([
    ['by the profile of the manifest', 'deployed@1.0', SMART, [], { notKept: [RETRY_FIELD, SMART_FIELD] }],
    ['by the profile of a flag', undefined, SMART, ['--gateway-profile', 'deployed'], { notKept: [SMART_FIELD] }],
    ['and none that is not declared', 'deployed@1.0', PLAIN, [], { notKept: [] }],
    ['and none of a gateway that keeps them', 'contract', SMART, [], { notKept: [] }],
  ])('%s, without a gateway', async (_, chosen, keys, flags, expected) => {
    await open('deployed', keys, chosen);
    const { code, stdout } = await place.run(['validate', '--format', 'json', ...flags], { bare: true });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data).toMatchObject(expected);
    expect(await place.control('DELETE', '/requests')).toMatchObject({ total: 0 });
  });

  it.each<[NonNullable<ReferenceOptions['profile']>, string, object[]]>([
    ['contract', 'a gateway of the contract', []],
    ['deployed', 'new-api v0.13.2', [SMART_FIELD]],
    ['deployed@1.0', 'new-api v1.0.0-rc.24', [RETRY_FIELD, SMART_FIELD]],
  ])('of %s, by two requests without credentials', async (server, gateway, notKept) => {
    await open(server, SMART);
    const words = ['validate', '--url', place.url];
    const { code, stdout } = await place.run([...words, '--format', 'json'], { bare: true });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data).toMatchObject({ gateway, notKept });
    const { requests } = await place.control<{ requests: object }>('DELETE', '/requests');
    expect(requests).toEqual({ 'GET /api/status': 1, 'GET /v1/models': 1 });
    const text = flat((await place.run(words, { bare: true })).stdout);
    expect(text).toContain(`keyplane.yaml: valid, 1 key The gateway is ${gateway}.`);
    expect(text.includes('Declared fields that the gateway does not keep - app: ')).toBe(notKept.length > 0);
  });

  test('and asks no gateway about a manifest of a stranger', async () => {
    await open('deployed', SMART);
    const { code, stderr } = await place.run(['validate', '--untrusted', '--url', place.url], { bare: true });
    expect([code, stderr.includes('--untrusted and --url exclude each other')]).toEqual([3, true]);
    expect(await place.control('DELETE', '/requests')).toMatchObject({ total: 0 });
  });

  test('and asks none that only the manifest or the environment names', async () => {
    await open('deployed', SMART);
    expect((await place.run(['validate'])).stdout).toBe('keyplane.yaml: valid, 1 key\n');
    expect(await place.control('DELETE', '/requests')).toMatchObject({ total: 0 });
  });
});

test('an examination writes the profile that the manifest already names, and ignores one that is there', async () => {
  await open('deployed', SMART, 'mine.json');
  const env = { KEYPLANE_GATEWAY_PROFILE: 'none.json' };
  for (const before of [undefined, 'not a profile']) {
    if (before !== undefined) await place.write('mine.json', before);
    expect((await place.run(['plan'])).code).toBe(3);
    const { code, stderr } = await place.run(['conformance', '--profile', 'mine.json'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect((await place.run(['plan'])).code).toBe(0);
    await rm(join(place.folder, 'mine.json'));
  }
});

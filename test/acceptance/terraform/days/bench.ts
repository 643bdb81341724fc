import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ProfileName } from '../../../../src/reference/index.ts';
import { perform, type Side, sideOf, use } from '../../../server/differential/operation.ts';
import { MODEL, type Peer } from '../../../server/peer.ts';
import { ACCESS_TOKEN, MODELS, openPlace, type Place, USER_ID } from '../../place.ts';
import { ATTRIBUTES, type Attribute } from './world.ts';

export interface StoredKey {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly user_id?: number;
  readonly [field: string]: unknown;
}

/** A gateway on which somebody edits, deletes and uses keys behind the back of Terraform. */
export interface Bench {
  readonly folder: string;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The attributes that it keeps for every key. */
  readonly attributes: readonly Attribute[];
  keys(): Promise<readonly StoredKey[]>;
  edit(id: number, settings: object): Promise<void>;
  remove(id: number): Promise<void>;
  /** Somebody makes a key, in the second account or in the first one. */
  make(name: string, isSecond: boolean): Promise<void>;
  /** Returns the units that were charged. */
  use(id: number): Promise<number>;
  secretsOf(ids: readonly number[]): Promise<readonly string[]>;
  /** Omitted: the gateway cannot be made to fail. */
  fail?(scripts: readonly object[] | undefined): Promise<void>;
  /** Lets applies be killed: engines start the provider themselves, and there are two accounts. Omitted: neither. */
  readonly control?: Place['control'];
  /** Omitted: its time cannot be changed. */
  pass?(seconds: number): Promise<void>;
  close(): Promise<void>;
}

const NO_LIMITS = { limits: { api: null, search: null, reveal: null } };

const THEIRS = ['theirs-1', 'theirs-2', 'theirs-3'];

/** A second account, for a provider with an alias. */
export const SECOND = { userId: 43, username: 'second', accessToken: 'second-account-token', quota: 500_000_000 };

/** @param isWhole with two accounts, and providers that can be killed */
export async function openReference(profile: ProfileName, isWhole = false): Promise<Bench> {
  const foreign = THEIRS.map((name) => ({ name, remain_quota: 1000, group: 'vip' }));
  const place = await openPlace(foreign, profile, MODELS, { ...NO_LIMITS, accounts: [SECOND] });
  const sides = [{ userId: USER_ID, accessToken: ACCESS_TOKEN }, SECOND].map((owner) => sideOf(place.url, owner));
  return {
    folder: place.folder,
    url: place.url,
    environment: {},
    attributes: ATTRIBUTES,
    keys: () => place.keys(),
    edit: async (id, settings) => void (await place.control('PATCH', `/keys/${id}`, settings)),
    async remove(id) {
      for (const side of sides) await perform(side, { method: 'DELETE', path: `/api/token/${id}` });
    },
    make: (name, isSecond) => make(sides[isSecond ? 1 : 0], name),
    async use(id) {
      const before = (await place.keys()).find((key) => key.id === id);
      const quota = 1 + ((id * 7919) % 900_000);
      const spent = await place.control('POST', '/spend', { keyId: id, quota, model: MODEL }).then(
        () => true,
        () => false,
      );
      return spent && before ? quota : 0;
    },
    secretsOf: async (ids) => (await place.keys()).filter(({ id }) => ids.includes(id)).map(({ key }) => String(key)),
    fail: async (scripts) => void (await place.control(scripts ? 'POST' : 'DELETE', '/faults', scripts)),
    ...(isWhole ? { control: place.control } : {}),
    pass: async (advance) => void (await place.control('POST', '/clock', { advance })),
    close: () => place.close(),
  };
}

const LISTING = '/api/token/?p=1&size=100&page_size=100';
const CHAT = JSON.stringify({ model: MODEL, max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] });

interface Listed {
  readonly data: { readonly items: readonly StoredKey[] };
}

async function keysOf(side: Side): Promise<readonly StoredKey[]> {
  const { body } = await perform(side, { method: 'GET', path: LISTING });
  return [...(body as Listed).data.items].sort((a, b) => a.id - b.id);
}

async function make(side: Side | undefined, name: string): Promise<void> {
  const body = JSON.stringify({ name, remain_quota: 1000, expired_time: -1, group: 'vip' });
  if (side) await perform(side, { method: 'POST', path: '/api/token/', body });
}

/** Writes a whole key, or its status alone, as the pages of servers do. A used-up key cannot be enabled. */
async function write(side: Side, key: object, settings: object): Promise<void> {
  const path = 'status' in settings ? '/api/token/?status_only=true' : '/api/token/';
  await perform(side, { method: 'PUT', path, body: JSON.stringify({ ...key, ...settings }) });
}

/** A running server. */
export async function openRunning(peer: Peer): Promise<Bench> {
  const owner = await peer.makeOwner('rich');
  const side = sideOf(peer.url, owner);
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-days-'));
  for (const name of THEIRS) await make(side, name);
  const find = async (id: number) => (await keysOf(side)).find((key) => key.id === id);
  return {
    folder,
    url: peer.url,
    environment: { KEYPLANE_USER_ID: String(owner.userId), KEYPLANE_ACCESS_TOKEN: owner.accessToken },
    // Some keep it in one group only.
    attributes: ATTRIBUTES.filter((name) => name !== 'cross_group_retry'),
    keys: () => keysOf(side),
    async edit(id, settings) {
      const key = await find(id);
      if (key) await write(side, key, settings);
    },
    remove: async (id) => void (await perform(side, { method: 'DELETE', path: `/api/token/${id}` })),
    make: (name) => make(side, name),
    async use(id) {
      side.live = [id];
      const usedNow = async () => Number((await find(id))?.used_quota);
      const before = await usedNow();
      const { status } = await use(side, { method: 'POST', path: '/v1/chat/completions', body: CHAT, as: 0 });
      // Servers in production write the use of keys every few seconds.
      if (status === 200) await expect.poll(usedNow, { timeout: 60_000 }).toBeGreaterThan(before);
      return (await usedNow()) - before;
    },
    async secretsOf(ids) {
      const answers = await Promise.all(
        ids.map((id) => perform(side, { method: 'POST', path: `/api/token/${id}/key` })),
      );
      return answers.map(({ body }) => String((body as { data: { key: string } }).data.key).replace(/^sk-/, ''));
    },
    async close() {
      await rm(folder, { recursive: true, force: true });
      await peer.close();
    },
  };
}

const listed = (value: unknown): string =>
  String(value ?? '')
    .split(/[\n,]/)
    .filter(Boolean)
    .sort()
    .join();

/** The settings of a stored key, in the words of the declared ones. */
export const settingsOf = (key: StoredKey): Readonly<Record<string, unknown>> => ({
  disabled: key.status === 2,
  group: key.group,
  models: key.model_limits_enabled === true ? listed(key.model_limits) : 'any',
  ips: listed(key.allow_ips),
  expires: key.expired_time,
  retry: key.cross_group_retry,
  unlimited: key.unlimited_quota,
});

import { Secret } from '../../../src/domain/index.ts';
import { type Gateway, type Inference, openGateway } from '../../../src/gateway/index.ts';
import type { Clock } from '../../../src/http/index.ts';
import { type ReferenceGateway, type Seed, startReferenceGateway } from '../../../src/reference/index.ts';
import { controlOf } from '../../contract/control.ts';

const NOW = 1_800_000_000;

const priced = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, { price: 0.01 }]));

const SEED: Seed = {
  quotaPerUnit: 500_000,
  accounts: [
    { userId: 42, accessToken: 'token-of-anna', quota: 50_000_000 },
    { userId: 43, accessToken: 'token-of-bert', quota: 1 },
  ],
  groups: { default: {}, vip: {} },
  models: {
    'chat-a': { ratio: 2, completionRatio: 3 },
    'chat-b': {},
    unpriced: { priced: false },
    failing: { fails: {} },
    'text-embedding-3-small': {},
    'eta-embedding-001': {},
    ...priced(['alpha-image-2', 'alpha-image-1', 'beta-imagine-image-2.0', 'gamma-image-2.0', 'gamma-image-max']),
    ...priced(['eta-2.5-flash-image', 'epsilon-video-2-0-260128', 'delta-H3']),
    'film-a': { price: 0.01, family: 'download-video' },
  },
  keys: [
    { id: 1, name: 'open', key: 'open', unlimited_quota: true },
    { id: 2, name: 'narrow', key: 'narrow', unlimited_quota: true, model_limits_enabled: true, model_limits: 'chat-a' },
    { id: 3, name: 'elsewhere', key: 'elsewhere', unlimited_quota: true, allow_ips: '203.0.113.7' },
    { id: 4, name: 'small', key: 'small', remain_quota: 1 },
    { id: 5, name: 'off', key: 'off', unlimited_quota: true, status: 2 },
    { id: 6, name: 'poor', key: 'poor', unlimited_quota: true, user_id: 43 },
    { id: 7, name: 'lost', key: 'lost', unlimited_quota: true, group: 'gone' },
  ],
};

/** The client and the reference gateway in one time, which moves only when the client waits. */
export interface Live {
  readonly reference: ReferenceGateway;
  readonly gateway: Gateway;
  readonly control: ReturnType<typeof controlOf>;
  as(key: string): Inference;
  /** Returns the quota units charged so far. */
  spent(): Promise<number>;
  close(): Promise<void>;
}

export async function openLive(profile: 'contract' | 'deployed'): Promise<Live> {
  let ms = NOW * 1000;
  const clock: Clock = {
    now: () => ms,
    sleep: async (wait) => {
      ms += wait;
    },
  };
  const reference = await startReferenceGateway({ profile, now: () => ms / 1000, seed: SEED, control: true });
  const gateway = openGateway({
    url: reference.url,
    userId: 42,
    accessToken: new Secret('token-of-anna'),
    clock,
  });
  return {
    reference,
    gateway,
    control: controlOf(reference.url),
    as: (key) => gateway.inference(new Secret(key)),
    spent: async () => (await gateway.system.usageStatistics()).quota,
    close: async () => {
      await gateway.close();
      await reference.close();
    },
  };
}

/** All events of a stream. */
export async function collect<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

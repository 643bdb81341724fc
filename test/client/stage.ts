import { afterEach } from 'vitest';
import { type GatewayClientOptions, openGatewayClient } from '../../src/client/index.ts';
import { Secret } from '../../src/domain/index.ts';
import { type Seed, startReferenceGateway } from '../../src/reference/index.ts';
import { controlOf } from '../contract/control.ts';
import { virtualClock } from '../http/virtual-clock.ts';

export const TOKEN = 'canary-access-token';
export const PROFILES = ['contract', 'deployed'] as const;

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close();
});

const NO_LIMITS = { api: null, search: null, reveal: null, keysPerUser: null };

/** A client of an account with a few keys, and the gateway behind it, on one clock on which waiting takes no time. */
export async function stage(
  profile: (typeof PROFILES)[number],
  {
    keys = 3,
    limits = NO_LIMITS,
    ...options
  }: Partial<GatewayClientOptions> & { keys?: number; limits?: Seed['limits'] } = {},
) {
  const clock = virtualClock();
  const reference = await startReferenceGateway({
    profile,
    control: true,
    now: () => clock.now() / 1000,
    seed: {
      quotaPerUnit: 500_000,
      limits,
      accounts: [
        { userId: 42, accessToken: TOKEN, quota: 50_000_000 },
        { userId: 43, accessToken: 'token-of-another', quota: 1 },
      ],
      groups: { default: {}, vip: {} },
      models: { 'alpha-chat-1': { price: 0.5 } },
      keys: Array.from({ length: keys }, (_, n) => ({
        id: n + 1,
        name: `seed-${n + 1}`,
        key: `canary${n + 1}`.padEnd(48, 'x'),
        remain_quota: 500_000,
      })),
    },
  });
  closing.push(reference);
  const open = (more: Partial<GatewayClientOptions> = {}) => {
    const given = {
      url: reference.url,
      userId: 42,
      accessToken: new Secret(TOKEN),
      clock,
      random: () => 1,
      ...options,
      ...more,
    };
    const client = openGatewayClient(given);
    closing.push(client);
    return client;
  };
  const control = controlOf(reference.url);
  return {
    reference,
    control,
    clock,
    gateway: open(),
    open,
    /** The names of all keys that the gateway has, in the order of their ids. */
    names: async () => (await control.state()).keys.map(({ name }) => name),
  };
}

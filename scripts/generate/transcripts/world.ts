// The initial state of the gateways in the transcripts. All of it is fixed, so that the same commands have the same answers.

/** Unix seconds: 2027-01-15T08:00:00Z. */
export const START = 1_800_000_000;
export const DAY = 86_400;

/** Returns a stored value that is obviously not a real one. */
export const secret = (name: string): string => `${name}Secret`.padEnd(48, 'x');

const tiers = '{"fast":["alpha-chat-1"]}';

export const SEED = {
  quotaPerUnit: 500_000,
  accounts: [
    { userId: 42, username: 'anna', accessToken: 'token-of-anna', quota: 1_000_000 },
    { userId: 43, username: 'bert', accessToken: 'token-of-bert', quota: 5_000, groups: ['default'] },
  ],
  groups: { default: { ratio: 1, desc: 'Default' }, vip: { ratio: 0.8, desc: 'Preferred' } },
  models: { 'alpha-chat-1': { ratio: 1.25, completionRatio: 4 }, 'text-embedding-3-small': {} },
  keys: [
    {
      ...{ name: 'checkout', key: secret('checkout'), expired_time: START + 30 * DAY, remain_quota: 50_000 },
      ...{ model_limits_enabled: true, model_limits: 'alpha-chat-1', allow_ips: '127.0.0.1\n10.0.0.0/8' },
      ...{ group: 'vip', cross_group_retry: true },
    },
    { name: 'index', key: secret('index'), unlimited_quota: true },
    { name: 'router', key: secret('router'), unlimited_quota: true, smart_routing: true, smart_route_tiers: tiers },
    { name: 'lapsed', key: secret('lapsed'), unlimited_quota: true, status: 3, expired_time: START - DAY },
    { name: 'spent', key: secret('spent'), status: 4, remain_quota: 0 },
    { name: 'of-bert', key: secret('bert'), user_id: 43, unlimited_quota: true },
  ],
};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a substitute for randomness: `made1made1…`, with the next number at each call. */
export function numbered(): (size: number) => Uint8Array {
  let count = 0;
  return (size) => {
    count += 1;
    const text = `made${count}`.repeat(size).slice(0, size);
    return Uint8Array.from(text, (letter) => LETTERS.indexOf(letter));
  };
}

/** The same state in a fork that has an additional field. */
export const FORK_SEED = {
  ...SEED,
  keys: SEED.keys.map((key) => (key.name === 'router' ? { ...key, rate_limit: 60 } : key)),
};

import type { Seed } from './seed.ts';

/** What a gateway begins with that is given no seed: one account with money, two groups, a handful of models. */
export const DEFAULT_SEED: Seed = {
  quotaPerUnit: 500_000,
  accounts: [{ userId: 1, username: 'demo', quota: 50_000_000 }],
  groups: {
    default: { ratio: 1, desc: 'Default group' },
    vip: { ratio: 0.8, desc: 'Preferred group' },
  },
  models: {
    'alpha-chat-1': { ratio: 1.25, completionRatio: 4, cacheRatio: 0.5 },
    'text-embedding-3-small': { ratio: 0.01 },
    'text-embedding-3-large': { ratio: 0.065 },
    'text-embedding-ada-002': { ratio: 0.05 },
    'eta-embedding-001': { ratio: 0.075 },
    'alpha-image-2': { price: 0.04 },
    'beta-imagine-image-2.0': { price: 0.05 },
    'gamma-image-2.0': { price: 0.03 },
    'epsilon-video-2-0-260128': { price: 0.5 },
    'delta-H3': { price: 0.6 },
  },
};

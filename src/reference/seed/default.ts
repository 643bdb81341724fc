import type { Seed } from './schema.ts';

const modelsPricedAt = (price: number, ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, { price }]));

/** The default seed: one account with money, two groups, every model of the contract. */
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
    'text-embedding-004': { ratio: 0.05 },
    ...modelsPricedAt(0.04, ['alpha-image-2', 'alpha-image-1.5', 'alpha-image-1']),
    ...modelsPricedAt(0.05, ['beta-imagine-image-2.0', 'beta-imagine-image-quality', 'beta-imagine-image']),
    ...modelsPricedAt(0.03, [
      'gamma-image-2.0-pro',
      'gamma-image-2.0',
      'gamma-image-max',
      'gamma-image-plus',
      'gamma-image',
    ]),
    ...modelsPricedAt(0.03, ['gamma-image-edit-max', 'gamma-image-edit-plus', 'gamma-image-edit']),
    ...modelsPricedAt(0.04, [
      'eta-2.5-flash-image',
      'eta-3.1-flash-image',
      'eta-3.1-flash-image-preview',
      'eta-3-pro-image',
    ]),
    ...modelsPricedAt(0.5, [
      'epsilon-video-2-0-260128',
      'epsilon-video-2-0-fast-260128',
      'epsilon-video-2-0-mini-260615',
    ]),
    'delta-H3': { price: 0.6 },
    'reference-video-download': { price: 0.4, family: 'download-video' },
    'reference-video-flat': { price: 0.4, family: 'flat-video' },
    'reference-video-nested': { price: 0.4, family: 'nested-video' },
    'reference-video-asset': { price: 0.4, family: 'asset-video' },
    'reference-video-dedicated': { price: 0.4, family: 'dedicated-video' },
  },
};

/**
 * A manifest written by a program: three teams with two environments each. `keyplane plan -f manifest.json` reads what
 * it writes.
 */
import { writeFileSync } from 'node:fs';
import type { KeyplaneManifest, ManifestBudget, ManifestKey } from 'keyplane';

const TEAMS = { checkout: 40, search: 25, support: '12.50' };

const STAGES: Readonly<Record<string, { share: ManifestBudget; key: ManifestKey }>> = {
  prod: { share: 'unlimited', key: { allowIps: ['10.20.0.0/16'], expires: '2030-01-01T00:00:00Z' } },
  test: { share: { usd: 5 }, key: { models: ['alpha-chat-1', 'text-embedding-3-small'], allowIps: 'anywhere' } },
};

function keysOf(team: string, usd: number | string): readonly (readonly [string, ManifestKey])[] {
  return Object.entries(STAGES).map(([stage, { share, key }]) => {
    const budget: ManifestBudget = share === 'unlimited' ? { usd } : share;
    return [`${stage}-${team}`, { ...key, budget }];
  });
}

export const manifest: KeyplaneManifest = {
  version: 1,
  gateway: { url: 'https://gateway.example.com', userId: 42 },
  ownership: { scope: ['prod-*', 'test-*'], prune: 'disable' },
  defaults: { group: 'default' },
  keys: Object.fromEntries(Object.entries(TEAMS).flatMap(([team, usd]) => keysOf(team, usd))),
};

if (process.argv[1] === import.meta.filename) {
  writeFileSync('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from './programs.ts';
import type { Measured } from './rows.ts';
import { throughput } from './throughput.ts';

const KEY = 'bench-only-secret';

const SEED = {
  accounts: [{ userId: 42, accessToken: 'bench-only', quota: 1_000_000_000 }],
  models: { 'alpha-chat-1': {} },
  keys: [{ name: 'bench', key: KEY, unlimited_quota: true }],
};

const CHAT = {
  path: '/v1/chat/completions',
  key: `sk-${KEY}`,
  body: JSON.stringify({ model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Describe rivers' }] }),
};

/** Measures chats at the reference gateway, in milliseconds for each. */
export async function measureChats(folder: string, count: number, isDurable: boolean): Promise<Measured> {
  mkdirSync(folder, { recursive: true });
  const seed = join(folder, 'chats.yaml');
  writeFileSync(seed, JSON.stringify(SEED));
  const data = isDurable ? ['--data', join(folder, 'ledger.sqlite')] : [];
  const gateway = await startGateway(seed, 'contract', data);
  try {
    const { ours, floor } = await throughput(gateway.url, CHAT, count);
    return { ours: 1000 / ours, floor: 1000 / floor };
  } finally {
    gateway.stop();
  }
}

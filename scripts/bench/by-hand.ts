import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, startGateway } from './programs.ts';
import type { Measured } from './rows.ts';

const USER = 42;
const TOKEN = 'bench-only';
const COUNT = 200;
const SCRIPT = join(import.meta.dirname, 'by-hand.sh');

const SEED = {
  accounts: [{ userId: USER, accessToken: TOKEN, quota: 1_000_000_000 }],
  groups: { default: {} },
  models: { 'alpha-chat-1': {}, 'text-embedding-3-small': {} },
};

/** Returns the milliseconds that the script takes for the keys. */
function runScript(url: string, names: readonly string[]): number {
  const env = { PATH: process.env.PATH, URL: url, TOKEN, USER_ID: String(USER) };
  const since = performance.now();
  const { status, stderr } = spawnSync('bash', [SCRIPT], { env, input: `${names.join('\n')}\n`, encoding: 'utf8' });
  if (status !== 0) throw new Error(`by-hand.sh ended with ${status}\n${stderr}`);
  return performance.now() - since;
}

/** Creates keys, and runs again with nothing to do: with Keyplane, and with a script. Undefined where curl or jq is missing. */
export async function measureByHand(
  folder: string,
): Promise<{ readonly create: Measured; readonly rerun: Measured } | undefined> {
  const isMissing = ['curl', 'jq'].some((name) => spawnSync(name, ['--version']).status !== 0);
  if (isMissing) return undefined;
  mkdirSync(folder, { recursive: true });
  const seed = join(folder, 'seed.yaml');
  writeFileSync(seed, JSON.stringify(SEED));
  const [gateway, bare] = [await startGateway(seed), await startGateway(seed)];
  try {
    const names = Array.from({ length: COUNT }, (_, index) => `by-hand-${index + 1}`);
    const file = join(folder, 'keys.json');
    const fields = { group: 'default', budget: { usd: 10 }, models: ['alpha-chat-1', 'text-embedding-3-small'] };
    const keys = Object.fromEntries(names.map((name) => [name, { ...fields, allowIps: ['10.0.0.0/8'] }]));
    writeFileSync(file, JSON.stringify({ version: 1, gateway: { url: gateway.url, userId: USER }, keys }));
    const env = { PATH: process.env.PATH, HOME: folder, KEYPLANE_ACCESS_TOKEN: TOKEN, CI: '1' };
    const apply = (): number => measure(['apply', '--yes', '-f', file], { env, cwd: folder }).ms;
    const create = { ours: apply(), floor: runScript(bare.url, names) };
    return { create, rerun: { ours: apply(), floor: runScript(bare.url, names) } };
  } finally {
    gateway.stop();
    bare.stop();
  }
}

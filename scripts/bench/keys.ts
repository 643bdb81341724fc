import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyOrder } from './bare-orders.ts';
import { compileProgram } from './compiled.ts';
import { type BenchGateway, type Compared, comparisonOf, measure, measureFloor, startGateway } from './programs.ts';
import type { Growth, Measured } from './rows.ts';

const CONCURRENCY = 4;
const USER = 42;
const TOKEN = 'bench-only';

const namesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `bench-${String(index + 1).padStart(6, '0')}`);

const SEED = {
  // Without the rate limits of deployed gateways, which would measure waiting.
  limits: { api: null },
  accounts: [{ userId: USER, accessToken: TOKEN, quota: 1_000_000_000 }],
  groups: { default: {}, vip: {} },
  models: { 'alpha-chat-1': {}, 'text-embedding-3-small': {} },
};

/** The record of a key that is as the manifest declares it. */
const stored = (name: string): object => ({
  ...{ name, group: 'default', remain_quota: 5_000_000, expired_time: -1, allow_ips: '10.0.0.0/8' },
  ...{ model_limits_enabled: true, model_limits: 'alpha-chat-1,text-embedding-3-small' },
});

const manifestText = (url: string, group: string, names: readonly string[]): string => `version: 1
gateway: { url: ${url}, userId: ${USER} }
defaults:
  group: ${group}
  budget: { usd: 10 }
  models: [alpha-chat-1, text-embedding-3-small]
  allowIps: [10.0.0.0/8]
  expires: never
keys:
${names.map((name) => `  ${name}: {}`).join('\n')}
`;

const environment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  KEYPLANE_ACCESS_TOKEN: TOKEN,
  KEYPLANE_CONCURRENCY: String(CONCURRENCY),
  CI: '1',
});

function seedFile(folder: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'seed.yaml');
  writeFileSync(file, JSON.stringify({ ...SEED, keys: names.map(stored) }));
  return file;
}

/** Runs a command, and a bare loop with the same requests at another gateway in the same state. */
async function compare(
  words: readonly string[],
  {
    folder,
    gateway,
    bare,
    names,
    pagesAtOnce = 1,
  }: { folder: string; gateway: BenchGateway; bare: BenchGateway; names: readonly string[]; pagesAtOnce?: number },
): Promise<Compared> {
  await gateway.takeRequests();
  const ours = measure(words, { env: environment(folder), cwd: folder });
  const requests = await gateway.takeRequests();
  const account = { url: bare.url, userId: USER, accessToken: TOKEN, concurrency: CONCURRENCY };
  const order: KeyOrder = { ...account, requests, names, pagesAtOnce };
  const file = join(folder, 'order.json');
  writeFileSync(file, JSON.stringify(order));
  return { ours, floor: measureFloor(compileProgram('bare-loop.ts'), file, folder) };
}

/** Creates keys, and changes the group of each. */
export async function measureWrites(
  folder: string,
  count: number,
): Promise<{ readonly create: Measured; readonly update: Measured }> {
  const seed = seedFile(folder, []);
  const names = namesOf(count);
  const [gateway, bare] = [await startGateway(seed), await startGateway(seed)];
  try {
    const apply = (group: string): Promise<Compared> => {
      const file = join(folder, `${group}.yaml`);
      writeFileSync(file, manifestText(gateway.url, group, names));
      return compare(['apply', '--yes', '-f', file], { folder, gateway, bare, names });
    };
    return { create: comparisonOf(await apply('default')), update: comparisonOf(await apply('vip')) };
  } finally {
    gateway.stop();
    bare.stop();
  }
}

interface UnchangedOptions {
  readonly profile?: string;
  readonly pagesAtOnce?: number;
}

async function planUnchanged(
  folder: string,
  count: number,
  { profile, ...floor }: UnchangedOptions = {},
): Promise<Measured> {
  const names = namesOf(count);
  const gateway = await startGateway(seedFile(folder, names), profile);
  try {
    const file = join(folder, 'unchanged.yaml');
    writeFileSync(file, manifestText(gateway.url, 'default', names));
    const words = ['plan', '--detailed-exitcode', '-f', file];
    return comparisonOf(await compare(words, { folder, gateway, bare: gateway, names, ...floor }));
  } finally {
    gateway.stop();
  }
}

/** Plans keys that are as declared, at a gateway that reports how many there are, as those in production do. */
export const measureUnchangedCounted = (folder: string, count: number): Promise<Measured> =>
  planUnchanged(folder, count, { profile: 'deployed', pagesAtOnce: CONCURRENCY });

/** Plans keys that are as declared, for each count. */
export async function measureUnchanged(
  folder: string,
  counts: readonly number[],
): Promise<{ readonly largest: Measured; readonly growth: Growth }> {
  const measured: Measured[] = [];
  for (const count of counts) measured.push(await planUnchanged(join(folder, `unchanged-${count}`), count));
  const [largest] = measured.slice(-1);
  if (!largest) throw new Error('no counts of keys');
  const growth = {
    keys: counts,
    cpuMs: measured.map(({ ours }) => ours),
    peakMiB: measured.map(({ peakMiB = Number.NaN }) => peakMiB),
  };
  return { largest, growth };
}

/** Validates a manifest, next to reading the same text with the parser of YAML alone. */
export function measureValidation(folder: string, count: number): Measured {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'large.yaml');
  writeFileSync(file, manifestText('https://gateway.example.com', 'default', namesOf(count)));
  const ours = measure(['validate', '-f', file], { env: environment(folder), cwd: folder });
  return comparisonOf({ ours, floor: measureFloor(compileProgram('bare-yaml.ts'), file, folder) });
}

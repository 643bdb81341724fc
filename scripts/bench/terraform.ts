import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestCounts } from './bare-orders.ts';
import { cpuOf, raceCpu } from './cpu.ts';
import { installEmptyProvider } from './empty.ts';
import { PROGRAM, startGateway } from './programs.ts';

interface TerraformResult {
  readonly title: string;
  readonly ms: number;
  readonly floor: number;
  readonly goal?: number | undefined;
  readonly requests: RequestCounts;
  /** CPU time of the same command with a provider that does nothing, for the same keys with the same state. Medians, in turns. */
  readonly empty?: { readonly ms: number; readonly ours: number };
}

interface TerraformFolder {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const USER = 42;
const TOKEN = 'bench-only';
const PARALLELISM = 10;

const SEED = {
  limits: { api: null },
  accounts: [{ userId: USER, accessToken: TOKEN, quota: 1_000_000_000 }],
  groups: { default: {}, vip: {} },
  models: { 'alpha-chat-1': {}, 'text-embedding-3-small': {} },
};

const fields = (group: string): string => `{
    name       = "bench-\${count.index}"
    enabled    = true
    group      = "${group}"
    models     = ["alpha-chat-1", "text-embedding-3-small"]
    allow_ips  = ["10.0.0.0/8"]
    expires_at = "never"
    budget     = { usd = 10, per = "lifetime" }
  }`;

const keys = (count: number, group: string): string => `terraform {
  required_providers { keyplane = { source = "keyplane/keyplane" } }
}
resource "keyplane_api_key" "bench" {
  count = ${count}
${fields(group).split('\n').slice(1, -1).join('\n')}
}
`;

const data = (count: number, group: string): string => `resource "terraform_data" "bench" {
  count = ${count}
  input = ${fields(group)}
}
`;

interface TerraformStep {
  readonly title: string;
  readonly words: readonly string[];
  readonly group: string;
  /** The ratio to the floor that the provider should not exceed. */
  readonly goal?: number;
  /** It changes nothing, so an empty provider can run it with the same state. */
  readonly isPlan?: true;
}

/** The measured commands, in order. */
const STEPS: readonly TerraformStep[] = [
  { title: 'start to schema', words: ['providers', 'schema', '-json'], group: 'default', isPlan: true },
  { title: 'plan of creates', words: ['plan'], group: 'default', isPlan: true },
  { title: 'apply of creates', words: ['apply', '-auto-approve'], group: 'default', goal: 1 },
  { title: 'refresh, nothing to do', words: ['plan'], group: 'default', goal: 1.5, isPlan: true },
  { title: 'apply of updates', words: ['apply', '-auto-approve'], group: 'vip' },
  { title: 'destroy', words: ['destroy', '-auto-approve'], group: 'vip', goal: 0.8 },
];

const parallel = ([verb = '']: readonly string[]): readonly string[] =>
  ['plan', 'apply', 'destroy'].includes(verb) ? [`-parallelism=${PARALLELISM}`] : [];

function terraform(words: readonly string[], { cwd, env }: TerraformFolder): number {
  const since = process.hrtime.bigint();
  const { status, stderr } = spawnSync('terraform', [...words, ...parallel(words)], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const ms = Number(process.hrtime.bigint() - since) / 1e6;
  if (status !== 0) throw new Error(`terraform ${words.join(' ')} ended with ${status}\n${stderr.slice(-2000)}`);
  return ms;
}

function prepare(folder: string, name: string, env: NodeJS.ProcessEnv): TerraformFolder {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'provider', 'install', '--dir', cwd], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return { cwd, env };
}

const ROUNDS = 5;

/** Runs a command in both stacks in turns, so that both see the same load. */
function raceEmpty(words: readonly string[], ours: TerraformFolder, empty: TerraformFolder) {
  const run = (stack: TerraformFolder) => cpuOf('terraform', [...words, ...parallel(words)], stack);
  const [own, ms] = raceCpu(
    ROUNDS,
    () => run(ours),
    () => run(empty),
  );
  return { ours: own, ms };
}

const STATE = 'terraform.tfstate';

function copyState(from: TerraformFolder, to: TerraformFolder): void {
  if (existsSync(join(from.cwd, STATE))) copyFileSync(join(from.cwd, STATE), join(to.cwd, STATE));
}

/**
 * Measures Terraform with keys against Terraform with as many `terraform_data` of the same shape, which is the cost of Terraform itself.
 *
 * @returns undefined when terraform is not installed
 */
export async function measureTerraform(folder: string, count: number): Promise<readonly TerraformResult[] | undefined> {
  if (spawnSync('terraform', ['version'], { stdio: 'ignore' }).status !== 0) return undefined;
  mkdirSync(folder, { recursive: true });
  const seedFile = join(folder, 'terraform.yaml');
  writeFileSync(seedFile, JSON.stringify(SEED));
  // Lists keys as gateways in production do, but without their rate limits, which would measure waiting.
  const gateway = await startGateway(seedFile, 'deployed');
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      KEYPLANE_URL: gateway.url,
      KEYPLANE_USER_ID: String(USER),
      KEYPLANE_ACCESS_TOKEN: TOKEN,
    };
    const ours = prepare(folder, 'keys', env);
    const floor = prepare(folder, 'floor', env);
    const empty = prepare(folder, 'empty', env);
    await installEmptyProvider(empty.cwd);
    const results: TerraformResult[] = [];
    for (const [index, { title, words, group, goal, isPlan }] of STEPS.entries()) {
      writeFileSync(join(ours.cwd, 'main.tf'), keys(count, group));
      writeFileSync(join(floor.cwd, 'main.tf'), data(count, group));
      writeFileSync(join(empty.cwd, 'main.tf'), keys(count, group));
      if (index === 0) for (const stack of [ours, floor, empty]) terraform(['init'], stack);
      await gateway.takeRequests();
      const ms = terraform(words, ours);
      const requests = await gateway.takeRequests();
      const result = { title, ms, goal, requests, floor: terraform(words, floor) };
      copyState(ours, empty);
      results.push(isPlan ? { ...result, empty: raceEmpty(words, ours, empty) } : result);
    }
    return results;
  } finally {
    gateway.stop();
  }
}

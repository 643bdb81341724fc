import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestCounts } from './bare-orders.ts';
import { PROGRAM, startGateway } from './programs.ts';

interface TerraformResult {
  readonly title: string;
  readonly ms: number;
  readonly floor: number;
  readonly goal?: number | undefined;
  readonly requests: RequestCounts;
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
}

/** The measured commands, in order. */
const STEPS: readonly TerraformStep[] = [
  { title: 'start to schema', words: ['providers', 'schema', '-json'], group: 'default' },
  { title: 'plan of creates', words: ['plan'], group: 'default' },
  { title: 'apply of creates', words: ['apply', '-auto-approve'], group: 'default', goal: 1 },
  { title: 'refresh, nothing to do', words: ['plan'], group: 'default', goal: 1.5 },
  { title: 'apply of updates', words: ['apply', '-auto-approve'], group: 'vip' },
  { title: 'destroy', words: ['destroy', '-auto-approve'], group: 'vip', goal: 0.8 },
];

function terraform(words: readonly string[], { cwd, env }: TerraformFolder): number {
  const parallel = ['plan', 'apply', 'destroy'].includes(words[0] ?? '') ? [`-parallelism=${PARALLELISM}`] : [];
  const since = process.hrtime.bigint();
  const { status, stderr } = spawnSync('terraform', [...words, ...parallel], {
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

/**
 * Measures Terraform with keys against Terraform with as many `terraform_data` of the same shape, which is the cost of Terraform itself.
 *
 * @returns undefined when terraform is not installed
 */
export async function measureTerraform(folder: string, count: number): Promise<readonly TerraformResult[] | undefined> {
  if (spawnSync('terraform', ['version'], { stdio: 'ignore' }).status !== 0) return undefined;
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
    const results: TerraformResult[] = [];
    for (const [index, { title, words, group, goal }] of STEPS.entries()) {
      writeFileSync(join(ours.cwd, 'main.tf'), keys(count, group));
      writeFileSync(join(floor.cwd, 'main.tf'), data(count, group));
      if (index === 0) for (const stack of [ours, floor]) terraform(['init'], stack);
      await gateway.takeRequests();
      const ms = terraform(words, ours);
      results.push({ title, ms, goal, requests: await gateway.takeRequests(), floor: terraform(words, floor) });
    }
    return results;
  } finally {
    gateway.stop();
  }
}

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, race } from './cpu.ts';
import { installEmptyProvider } from './empty.ts';
import { PROGRAM, startGateway } from './programs.ts';
import type { Measured } from './rows.ts';

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

const keys = (count: number): string => `terraform {
  required_providers { keyplane = { source = "keyplane/keyplane" } }
}
resource "keyplane_api_key" "bench" {
  count      = ${count}
  name       = "bench-\${count.index}"
  enabled    = true
  group      = "default"
  models     = ["alpha-chat-1", "text-embedding-3-small"]
  allow_ips  = ["10.0.0.0/8"]
  expires_at = "never"
  budget     = { usd = 10, per = "lifetime" }
}
`;

const PLAN = ['plan', `-parallelism=${PARALLELISM}`];
const APPLY = ['apply', '-auto-approve', `-parallelism=${PARALLELISM}`];

function terraform(words: readonly string[], { cwd, env }: TerraformFolder): void {
  const { status, stderr } = spawnSync('terraform', words, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`terraform ${words.join(' ')} ended with ${status}\n${stderr.slice(-2000)}`);
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

/** The costs of a plan in both stacks, the engine included. */
function racePlans(ours: TerraformFolder, empty: TerraformFolder): Measured {
  const plan = (stack: TerraformFolder) => () => costOf('terraform', PLAN, stack);
  return race(ROUNDS, plan(ours), plan(empty));
}

const STATE = 'terraform.tfstate';

/**
 * Measures plans of keys against the same plans with an empty provider, which costs what Terraform and the transport do: of keys to
 * create, and of keys to refresh that need no change.
 *
 * @returns undefined when terraform is not installed
 */
export async function measureTerraform(
  folder: string,
  count: number,
): Promise<{ readonly creates: Measured; readonly refresh: Measured } | undefined> {
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
    const [ours, empty] = [prepare(folder, 'keys', env), prepare(folder, 'empty', env)];
    await installEmptyProvider(empty.cwd);
    for (const stack of [ours, empty]) {
      writeFileSync(join(stack.cwd, 'main.tf'), keys(count));
      terraform(['init'], stack);
    }
    const creates = racePlans(ours, empty);
    terraform(APPLY, ours);
    copyFileSync(join(ours.cwd, STATE), join(empty.cwd, STATE));
    return { creates, refresh: racePlans(ours, empty) };
  } finally {
    gateway.stop();
  }
}

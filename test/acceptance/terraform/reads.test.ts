import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_TOKEN, CANARY, openPlace, type Place, PROFILES } from '../place.ts';
import { openInstalledStack, openStack, type Ran, type Stack, skipWithoutTerraform } from './stack.ts';

/** The first has the access token for a credential: a provider that takes it shows that the secret arrived whole. */
const KEYS = [
  { name: 'app', unlimited_quota: true, key: ACCESS_TOKEN },
  { name: 'narrow', unlimited_quota: true, model_limits_enabled: true, model_limits: 'alpha-chat-1' },
  { name: 'off', unlimited_quota: true, status: 2 },
];

const CHILD = `
terraform {
  required_providers {
    keyplane = { source = "keyplane/keyplane" }
  }
}
ephemeral "keyplane_api_key_secret" "app" {
  name = "app"
  lifecycle {
    postcondition {
      condition     = self.id == 1 && startswith(self.secret, "sk-")
      error_message = "It is not a credential."
    }
  }
}
output "secret" {
  value     = ephemeral.keyplane_api_key_secret.app.secret
  ephemeral = true
}
`;

const EPHEMERAL = `
provider "keyplane" {}
module "child" { source = "./child" }
provider "keyplane" {
  alias        = "through"
  access_token = trimprefix(module.child.secret, "sk-")
}
data "keyplane_account" "through" { provider = keyplane.through }
output "user" { value = data.keyplane_account.through.user_id }
`;

const STORED = `
provider "keyplane" {}
data "keyplane_api_key_secret" "app" { id = 1 }
`;

const READS = `
provider "keyplane" {}
data "keyplane_models" "all" { key_id = 1 }
data "keyplane_models" "narrow" { key_id = 2 }
data "keyplane_models" "ambient" {}
data "keyplane_usage" "ever" {}
data "keyplane_usage" "lately" { since = "2020-01-01T00:00:00Z" }
output "all" { value = data.keyplane_models.all.models }
output "narrow" { value = data.keyplane_models.narrow.models }
output "ambient" { value = data.keyplane_models.ambient.models }
output "ever" { value = data.keyplane_usage.ever }
output "lately" { value = data.keyplane_usage.lately }
`;

const checkOf = (key: number, more = '') => `
provider "keyplane" {}
check "app_answers" {
  data "keyplane_check" "chat" {
    key_id = ${key}
    module = "chat"
    model  = "alpha-chat-1"
    ${more}
  }
  assert {
    condition     = data.keyplane_check.chat.passed
    error_message = data.keyplane_check.chat.message
  }
}
`;

const WANTED = `
provider "keyplane" {}
variable "key" { type = number }
data "keyplane_check" "models" {
  key_id = var.key
  module = "model-list"
  lifecycle {
    postcondition {
      condition     = self.passed
      error_message = self.message
    }
  }
}
output "verdict" { value = data.keyplane_check.models.verdict }
`;

describe.each(PROFILES)('what terraform reads (%s)', (profile) => {
  let place: Place;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace(KEYS, profile);
    await mkdir(join(place.folder, 'child'));
    await place.write('child/main.tf', CHILD);
  });
  afterEach(() => place?.close());

  const applied = async (stack: Stack, env: Record<string, string> = {}): Promise<Ran> => {
    const ran = await stack.runWith(env, 'apply', '-auto-approve');
    expect(ran.code, ran.stderr).toBe(0);
    return ran;
  };
  const outputs = async (stack: Stack) => {
    const all = JSON.parse((await stack.run('output', '-json')).stdout) as Record<string, { value: unknown }>;
    return Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]));
  };
  const inOneLine = (text: string): string => text.replaceAll(/\s*[│╷╵]?\s+/g, ' ');

  it('hands a credential on, and keeps it nowhere', async () => {
    const stack = await openInstalledStack(place, EPHEMERAL);
    const { stdout, stderr } = await applied(stack, { TF_LOG: 'TRACE', TF_LOG_PATH: 'trace.log' });
    expect(await outputs(stack)).toEqual({ user: 42 });
    await stack.run('plan', '-out', 'plan.bin');
    const shown = await stack.run('show', '-json', 'plan.bin');
    const files = await Promise.all(
      ['terraform.tfstate', 'trace.log', 'plan.bin'].map((name) => readFile(join(place.folder, name), 'latin1')),
    );
    for (const text of [stdout, stderr, shown.stdout, ...files]) expect(text).not.toContain(CANARY);
  });

  it('stores a credential only with a warning', async () => {
    const stack = await openStack(place, STORED);
    const { stdout, stderr } = await applied(stack);
    const output = inOneLine(stdout + stderr);
    expect(output).toContain('The credential of a key is stored in the state');
    expect(output).toContain(
      'This data source is deprecated: the ephemeral resource `keyplane_api_key_secret` provides the credential without storing it',
    );
    expect(output).not.toContain(CANARY);
    expect(await place.read('terraform.tfstate')).toContain(`sk-${ACCESS_TOKEN}`);
  });

  it('asserts that a key works', async () => {
    const stack = await openInstalledStack(place, checkOf(1));
    const { stdout, stderr } = await applied(stack, { TF_LOG: 'TRACE', TF_LOG_PATH: 'trace.log' });
    expect(stdout + stderr).not.toContain('Check block assertion failed');
    for (const file of ['terraform.tfstate', 'trace.log']) expect(await place.read(file)).not.toContain(CANARY);
  });

  // What no profile could make another thing of is shown once.
  if (profile !== 'deployed') return;

  it.each([
    [1, 'expect { contains = ["never output"] }', 'failed: assertion failed'],
    [3, '', 'with the key "off": failed'],
  ])('asserts that key %i does not work, with %j', async (key, more, reason) => {
    const stack = await openStack(place, checkOf(key, more));
    const { stdout, stderr } = await applied(stack);
    const output = inOneLine(stdout + stderr);
    expect(output).toContain('Check block assertion failed');
    expect(output).toContain(reason);
  });

  it('wants a key to work, and costly checks to be meant', async () => {
    const stack = await openStack(place, WANTED);
    await applied(stack, { TF_VAR_key: '2' });
    expect(await outputs(stack)).toEqual({ verdict: 'passed' });
    const failed = await stack.runWith({ TF_VAR_key: '3' }, 'plan');
    expect([failed.code, inOneLine(failed.stderr)]).toEqual([1, expect.stringContaining('postcondition failed')]);
    await stack.write('costly.tf', 'data "keyplane_check" "film" {\n  key_id = 1\n  module = "video"\n}\n');
    const refused = await stack.runWith({ TF_VAR_key: '2' }, 'plan');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The check video is costly')]);
  });

  it('reads models and usage', async () => {
    await place.control('POST', '/spend', { keyId: 2, quota: 250_000 });
    const stack = await openStack(place, READS);
    await applied(stack, { KEYPLANE_MODELS_KEY: `sk-${ACCESS_TOKEN}` });
    const all = ['alpha-chat-1', 'text-embedding-3-small'];
    expect(await outputs(stack)).toMatchObject({
      all,
      narrow: ['alpha-chat-1'],
      ambient: all,
      ever: { consumed_quota: 250_000, consumed_usd: 0.5, keys: null },
      lately: { spent_usd: 0.5, keys: [{ id: 2, name: 'narrow', spent_quota: 250_000, entries: 1 }] },
    });
  });

  it('reports each error at its argument, before any request', async () => {
    const wrong = `
provider "keyplane" {}
data "keyplane_usage" "wrong" { since = "yesterday" }
data "keyplane_check" "wrong" {
  key_id = 1
  module = "chatter"
  expect { matches = "(" }
}
`;
    const stack = await openStack(place, wrong);
    const { code, stderr } = await stack.run('validate');
    expect(code).toBe(1);
    expect(stderr.match(/Error: .*/g)?.sort()).toEqual([
      'Error: Unknown module',
      'Error: `expect.matches`: Expected a regular expression',
      'Error: `since` is not a time with an offset',
    ]);
    expect(stderr).toContain('module = "chatter"');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place, PROFILES } from '../place.ts';
import { openInstalledStack, openStack, type Stack, skipWithoutTerraform } from './stack.ts';

/** Keys that are created and checked in the same apply: requests that work, and requests that are rejected. */
const smoke = (enabled: boolean) => `
provider "keyplane" {}
resource "keyplane_api_key" "search" {
  name    = "prod-search"
  enabled = ${enabled}
  models  = ["alpha-chat-1"]
  budget  = { usd = 5, per = "lifetime" }
}
check "search_answers" {
  data "keyplane_check" "chat" {
    key_id = keyplane_api_key.search.id
    module = "chat"
    expect { max_cost_usd = 0.5 }
  }
  assert {
    condition     = data.keyplane_check.chat.passed
    error_message = data.keyplane_check.chat.message
  }
}
check "search_reaches_no_other_model" {
  data "keyplane_check" "other" {
    key_id = keyplane_api_key.search.id
    module = "forbidden-model"
    model  = "text-embedding-3-small"
  }
  assert {
    condition     = data.keyplane_check.other.passed
    error_message = data.keyplane_check.other.message
  }
}
`;

const PICTURE = `
provider "keyplane" {}
data "keyplane_check" "picture" {
  key_id = 1
  module = "image"
  model  = "alpha-image-1"
  costly = true
}
output "verdict" { value = data.keyplane_check.picture.verdict }
`;

/** A provider that was installed without its native packages. */
const HOOKS = 'export const resolve = (name, context, next) => next(name === "sharp" ? "./none" : name, context);';
const REGISTER = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOKS)}`)});`;
const WITHOUT_SHARP = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REGISTER)}` };

describe('a picture', () => {
  let place: Place;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([{ name: 'app', unlimited_quota: true }], 'deployed', { 'alpha-image-1': { price: 0.01 } });
  });
  afterEach(() => place?.close());

  const pictures = async () => {
    const { requests } = await place.control<{ requests: Record<string, number> }>('GET', '/requests');
    return requests['POST /v1/images/generations'] ?? 0;
  };

  it('is examined, and is not paid for if that is impossible', async () => {
    const stack = await openInstalledStack(place, PICTURE);
    const planned = await stack.runWith(WITHOUT_SHARP, 'plan');
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('verdict = "unprovable"')]);
    expect(await pictures()).toBe(0);
    expect((await stack.run('apply', '-auto-approve')).stdout).toContain('verdict = "passed"');
    expect(await pictures()).toBe(1);
  });
});

describe('a media check that convert has written', () => {
  let place: Place;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed', { 'alpha-image-1': { price: 0.01 } });
  });
  afterEach(() => place?.close());

  it('is planned, applied and destroyed', async () => {
    const stack = await openStack(place, '');
    await place.declare(
      '  desk: { models: [alpha-image-1], budget: { usd: 1 }, checks: [picture] }',
      'checks:\n  picture: { module: image, model: alpha-image-1 }',
    );
    const written = await place.run(['convert', '--to', 'hcl', '--out', 'main.tf', '--yes']);
    expect(written.code, written.stderr).toBe(0);
    for (const words of [['plan'], ['apply', '-auto-approve'], ['plan'], ['destroy', '-auto-approve']]) {
      const { code, stderr } = await stack.run(...words);
      expect(code, stderr).toBe(0);
      expect(stderr).not.toContain('Check block assertion');
    }
    expect(await place.keys()).toEqual([]);
  });
});

describe.each(PROFILES)('what terraform has made (%s)', (profile) => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], profile);
    stack = await openStack(place, smoke(true));
  });
  afterEach(() => place?.close());

  it('is proven in the apply that made it', async () => {
    const { code, stdout, stderr } = await stack.run('apply', '-auto-approve');
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toContain('Check block assertion');
    const { check_results: checks } = JSON.parse(await place.read('terraform.tfstate')) as {
      check_results: readonly { config_addr: string; status: string }[];
    };
    expect(Object.fromEntries(checks.map(({ config_addr: address, status }) => [address, status]))).toEqual({
      'check.search_answers': 'pass',
      'check.search_reaches_no_other_model': 'pass',
    });
    const [made] = await place.keys();
    expect(await place.read('terraform.tfstate')).not.toContain(made?.key);
  });

  it('is reported when it does not work, and remains', async () => {
    await stack.write('main.tf', (await place.read('main.tf')).replace('enabled = true', 'enabled = false'));
    const { code, stdout, stderr } = await stack.run('apply', '-auto-approve');
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).toContain('Check block assertion failed');
    expect(stdout + stderr).toContain('the key is disabled');
    expect(await place.keys()).toMatchObject([{ name: 'prod-search', status: 2 }]);
  });
});

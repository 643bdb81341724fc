import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, key, planned } from './changes.ts';
import { openStack, type Ran, type Stack, skipWithoutTerraform } from './stack.ts';

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The first line of each error, with the line of the configuration that it is at. */
const errorsIn = ({ stderr }: Ran): readonly string[] =>
  stderr
    .split(/^(?=Error: )/m)
    .filter((part) => part.startsWith('Error: '))
    .map((part) => {
      const [first = ''] = part.split('\n');
      const [, line = ''] = /^ +\d+: +(.*)$/m.exec(part) ?? [];
      return `${line.trim()} -> ${first.slice('Error: '.length)}`;
    });

const READ_ONLY = `
resource "keyplane_api_key" "one" {
  name       = "one"
  budget     = { usd = 1, per = "lifetime" }
  id         = 999
  status     = "disabled"
  created_at = "2020-01-01T00:00:00Z"
}
data "keyplane_account" "me" {
  wallet_quota = 5
}
data "keyplane_api_key" "other" {
  id        = 1
  unlimited = true
}
data "keyplane_api_keys" "all" {
  keys = []
}
ephemeral "keyplane_api_key_secret" "one" {
  id     = 1
  secret = "mine"
}
`;

const NULLS: readonly (readonly [configuration: string, error: string])[] = [
  ['models = ["a", null]', '`models` must not contain null'],
  ['models = [null]', '`models` must not contain null'],
  ['allow_ips = [null]', '`allow_ips` must not contain null'],
];

const CHECK_NULLS: readonly (readonly [configuration: string, error: string])[] = [
  ['module = null', '`module` must not be null'],
  ['key_id = null', '`key_id` must not be null'],
  ['key_id = 1.5', 'Invalid key ID'],
  ['expect { contains = ["a", null] }', '`expect.contains` must not contain null'],
];

const nameFor = (body: string, index: number): string => (body.startsWith('name') ? '' : `  name = "k${index}"\n`);

const resourceWith = (body: string, index: number): string =>
  `resource "keyplane_api_key" "k${index}" {\n${nameFor(body, index)}  budget = { usd = 1, per = "lifetime" }\n  ${body}\n}\n`;

function checkWith(body: string, index: number): string {
  const required = ['key_id = 1', 'module = "model-list"'].filter((line) => !body.startsWith(line.split(' ')[0] ?? ''));
  return `data "keyplane_check" "c${index}" {\n${[...required, body].map((line) => `  ${line}\n`).join('')}}\n`;
}

/** Values that are null only once the resource exists. */
const KNOWN_LATER = `
resource "terraform_data" "team" { input = "checkout" }
resource "keyplane_api_key" "named" {
  name   = terraform_data.team.output == "checkout" ? null : "one"
  budget = { usd = 1, per = "lifetime" }
}
resource "keyplane_api_key" "narrow" {
  name   = "narrow"
  models = ["alpha-chat-1", terraform_data.team.output == "checkout" ? null : "b"]
  budget = { usd = 1, per = "lifetime" }
}
`;

const SETTINGS: readonly (readonly [configuration: string, error: string])[] = [
  ['url             = "gateway"', 'The gateway’s URL is not an http or https URL.'],
  ['user_id         = 0', '`user_id` must be a whole number above 0'],
  [
    'access_token    = "two words"',
    'The system access token contains invalid characters: white space, a line break, or non-ASCII characters.',
  ],
  ['ca_file         = "nowhere.pem"', 'Cannot read nowhere.pem: there is no such file or folder'],
  ['gateway_profile = "newest"', 'Cannot read newest: there is no such file or folder'],
  ['timeout         = "long"', '`timeout` is not a duration'],
  ['max_concurrency = 1.5', '`max_concurrency` must be a whole number above 0'],
  ['max_log_pages   = 0', '`max_log_pages` must be a whole number above 0'],
];

const FROM_VARIABLE = `
variable "none" {
  type    = string
  default = null
}
resource "keyplane_api_key" "one" {
  name   = var.none
  budget = { usd = 1, per = "lifetime" }
}
`;

describe('values that no provider can use, given to terraform', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([]);
  });
  afterEach(() => place?.close());

  it.each(['validate', 'plan', 'apply'])(
    'rejects values of read-only attributes, each at its line: %s',
    async (verb) => {
      stack = await openStack(place, READ_ONLY);
      const ran = await stack.run(verb, ...(verb === 'apply' ? ['-auto-approve'] : []));
      expect([ran.code, [...errorsIn(ran)].sort()]).toEqual([
        1,
        [
          'created_at = "2020-01-01T00:00:00Z" -> `created_at` cannot be set: read-only',
          'id         = 999 -> `id` cannot be set: read-only',
          'keys = [] -> `keys` cannot be set: read-only',
          'secret = "mine" -> `secret` cannot be set: read-only',
          'status     = "disabled" -> `status` cannot be set: read-only',
          'unlimited = true -> `unlimited` cannot be set: read-only',
          'wallet_quota = 5 -> `wallet_quota` cannot be set: read-only',
        ],
      ]);
      expect(await place.keys()).toEqual([]);
    },
  );

  it('names the lines to remove from the output of state show that becomes a configuration', async () => {
    stack = await openStack(place, key('one'));
    await expectApplied(stack);
    const { stdout } = await stack.run('state', 'show', '-no-color', 'keyplane_api_key.one');
    await stack.configure(stdout);
    const ran = await stack.run('plan');
    expect(ran.code).toBe(1);
    const readOnly = errorsIn(ran).map((error) => error.split(' ')[0]);
    expect(readOnly).toEqual(expect.arrayContaining(['id', 'masked_key', 'status', 'stored_status']));
    expect(inOneLine(ran.stderr)).toContain('Remove it from the configuration');
    const kept = stdout.split('\n').filter((line) => !readOnly.includes(line.trim().split(' ')[0]));
    await stack.configure(kept.join('\n'));
    expect(await planned(stack)).toEqual({});
  });

  it('rejects null where a value is required, and null elements, before any request', async () => {
    stack = await openStack(place, [...NULLS.map(([body], index) => resourceWith(body, index)), ''].join(''));
    await stack.write('checks.tf', CHECK_NULLS.map(([body], index) => checkWith(body, index)).join(''));
    const ran = await stack.run('validate');
    const expected = [...NULLS, ...CHECK_NULLS].map(([body, error]) => `${body} -> ${error}`);
    expect([ran.code, [...errorsIn(ran)].sort()]).toEqual([1, expected.sort()]);
  });

  it('rejects each invalid setting of the provider block at validation, before any request', async () => {
    // Core omits a provider that nothing uses.
    await place.write('uses.tf', 'data "keyplane_account" "me" {}\n');
    stack = await openStack(place, `provider "keyplane" {\n${SETTINGS.map(([line]) => `  ${line}\n`).join('')}}\n`);
    const ran = await stack.run('validate');
    const expected = SETTINGS.map(([line, error]) => `${line} -> ${error}`);
    expect([ran.code, [...errorsIn(ran)].sort()]).toEqual([1, expected.sort()]);
    await stack.configure('provider "keyplane" {\n  user_id = 42\n  timeout = "30s"\n}\n');
    const { code, stdout } = await stack.run('validate');
    expect(code, stdout).toBe(0);
  });

  it('rejects null from a variable at the plan', async () => {
    stack = await openStack(place, FROM_VARIABLE);
    expect((await stack.run('validate')).code).toBe(0);
    const ran = await stack.run('plan');
    expect([ran.code, errorsIn(ran)]).toEqual([1, ['name   = var.none -> A new key has no name']]);
  });

  it('rejects null that only the apply shows, and creates no key', async () => {
    stack = await openStack(place, KNOWN_LATER);
    expect((await stack.run('validate')).code).toBe(0);
    expect(await planned(stack)).toMatchObject({ named: 'create', narrow: 'create' });
    const ran = await stack.run('apply', 'plan.bin');
    const errors = errorsIn(ran).map((error) => error.split(' -> ')[1]);
    expect([ran.code, [...errors].sort()]).toEqual([1, ['A new key has no name', '`models` must not contain null']]);
    expect(await place.keys()).toEqual([]);
  });
});

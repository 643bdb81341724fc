import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place, PROFILES } from '../place.ts';
import { expectApplied, expectSettled } from './changes.ts';
import { openInstalledStack, type Stack, skipWithoutQueries } from './stack.ts';

/** Names that gateways store, with what ends the line of the key in a query. */
const NAMES: readonly (readonly [name: string, shown: string])[] = [
  ['plain', 'plain'],
  ['', 'key 2'],
  [' lead', ' lead'],
  ['a"b\\c', 'a"b\\c'],
  ['${path.module} %{ if true }', '${path.module} %{ if true }'],
  ['two\nlines\u001b[2J', 'two\\u{a}lines\\u{1b}[2J'],
  ['\u202eright to left', '\\u{202e}right to left'],
  ['name=plain', 'name=plain'],
  ['7', '7'],
  // Core writes both characters as one.
  ['cafe\u0301', 'caf\u00e9'],
  ['/* # // <<EOF', '/* # // <<EOF'],
  [`sk-${'c4n4ry'.repeat(7)}`, '•'.repeat(45)],
];

const KEYS = [
  ...NAMES.map(([name]) => ({ name, unlimited_quota: true })),
  { name: 'twice', unlimited_quota: true },
  { name: 'twice', unlimited_quota: true },
  { name: 'models', unlimited_quota: true, model_limits_enabled: true, model_limits: 'any' },
  { name: 'composed', unlimited_quota: true, model_limits_enabled: true, model_limits: 'cafe\u0301', group: 'e\u0301' },
  { name: 'odd', model_limits_enabled: true, model_limits: '', allow_ips: 'no address', remain_quota: 1 },
];

const LIST = 'list "keyplane_api_key" "all" {\n  provider = keyplane\n}\n';

describe.each(PROFILES)('terraform query (%s)', (profile) => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutQueries(context);
    place = await openPlace(KEYS, profile);
    stack = await openInstalledStack(place, 'provider "keyplane" {}\n');
    await stack.write('all.tfquery.hcl', LIST);
  });
  afterEach(() => place?.close());

  it('shows each key in a line of its own, whatever its name is', async () => {
    const { code, stdout, stderr } = await stack.run('query');
    expect(code, stderr).toBe(0);
    const lines = stdout.split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(KEYS.length);
    for (const [index, [, shown]] of NAMES.entries()) {
      const [line = ''] = lines.filter((each) => each.includes(`id=${index + 1},`));
      expect(line.endsWith(shown), line).toBe(true);
    }
  });

  it('writes a configuration that changes no key, whatever the names are, and reports what it has to omit', async () => {
    const generated = await stack.run('query', '-generate-config-out=generated.tf');
    expect(generated.code, generated.stderr).toBe(0);
    const before = await place.keys();
    const plan = await stack.run('plan');
    expect([plan.code, plan.stderr]).toEqual([0, '']);
    expect(plan.stdout).toContain(`Plan: ${KEYS.length} to import, 0 to add, 0 to change, 0 to destroy.`);
    const omitted = [...plan.stdout.matchAll(/The live `(\w+)` of the key (.*) cannot be declared/g)];
    expect(omitted.map(([, attribute, name]) => `${attribute} ${name}`).sort()).toEqual(
      [
        'allow_ips "odd"',
        'group "composed"',
        'models "composed"',
        'models "models"',
        'models "odd"',
        'name " lead"',
        'name ""',
        'name "cafe\u0301"',
        `name "${'•'.repeat(45)}"`,
        'name "two\\nlines\\u001b[2J"',
      ].sort(),
    );
    await expectApplied(stack);
    await expectSettled(stack);
    expect(await place.keys()).toEqual(before);
  });
});

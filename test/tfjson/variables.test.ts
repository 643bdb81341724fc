import { describe, expect, test } from 'vitest';
import { messagesOf, readKey } from './synthesized.ts';

/** The type and the default of a variable, and its value as JSON. */
const VARIABLES: readonly (readonly [string | undefined, unknown, string])[] = [
  ['string', 5, '"5"'],
  ['${string}', true, '"true"'],
  ['number', '1.50', '1.5'],
  ['bool', 'false', 'false'],
  ['any', { a: [1, 'x'] }, '{"a":[1,"x"]}'],
  [undefined, ['a', 1], '["a",1]'],
  ['string', null, 'null'],
  ['list(string)', [1, 'a'], '["1","a"]'],
  ['set(string)', ['b', 'a', 'b'], '["a","b"]'],
  ['string', 'a$${b} ${1 + 1} %%{x}', '"a$${b} ${1 + 1} %%{x}"'],
  [undefined, { '$${k}': '${x' }, '{"$${k}":"${x"}'],
  ['map(number)', { b: '2', a: 1 }, '{"a":1,"b":2}'],
];

const withDefault = async (type: string | undefined, value: unknown) => {
  const variable = { v: { ...(type === undefined ? {} : { type }), default: value, sensitive: true } };
  return readKey({ smart_routing_tiers: '${jsonencode([jsonencode(var.v)])}' }, { variable });
};

describe('a variable', () => {
  test.each(VARIABLES)('of type %s with the default %j is %s', async (type, value, text) => {
    const { manifest, diagnostics } = await withDefault(type, value);
    expect(diagnostics).toEqual([]);
    expect(JSON.parse(manifest?.desired.keys[0]?.smartRouting ?? '')).toEqual([text]);
  });

  test.each([
    ['number', 'x', 'Expected a number, got a string.'],
    ['list(string)', 'x', 'Expected a list, got a string.'],
    ['map(string)', ['x'], 'Expected a map, got a list.'],
    ['list(any)', ['x'], 'Keyplane does not evaluate variables of the type `list(any)`.'],
    ['list(constructor)', ['x'], 'Keyplane does not evaluate variables of the type `list(constructor)`.'],
    ['constructor', 'x', 'Keyplane does not evaluate variables of the type `constructor`.'],
    ['tuple([string])', ['x'], 'Keyplane does not evaluate variables of the type `tuple([string])`.'],
  ])('of type %s with the default %j is refused', async (type, value, expected) => {
    expect(messagesOf(await withDefault(type, value))).toEqual([`terraform.unresolved prod/App: ${expected}`]);
  });

  const used = (fields: object, env: Readonly<Record<string, string>> = {}) =>
    readKey({ group: '${var.v}' }, { variable: { v: { default: 'g', ...fields } } }, { env });

  test.each([
    [
      'a validation',
      { validation: [{ condition: '${true}', error_message: 'x' }] },
      'Keyplane does not evaluate the `validation` of `var.v`.',
    ],
    [
      'no null and null as its default',
      { nullable: false, default: null },
      '`var.v` must not be null, but its default is.',
    ],
  ])('with %s is refused where it is used', async (_, fields, expected) => {
    expect(messagesOf(await used(fields))).toEqual([`terraform.unresolved prod/App: ${expected}`]);
    const variable = { v: { default: 'g', ...fields } };
    expect(messagesOf(await readKey({}, { variable }))).toEqual([]);
  });

  test.each([
    ['TF_CLI_ARGS', "-no-color '-var=v=x'"],
    ['TF_CLI_ARGS', '-var-file=x.tfvars'],
    ['TF_CLI_ARGS_plan', '-var v=x'],
    ['TF_CLI_ARGS_apply', '--var v=x'],
  ])('that %s = %j may give another value is refused', async (name, words) => {
    expect(messagesOf(await used({}, { [name]: words }))).toEqual([
      `terraform.unresolved prod/App: \`var.v\` may differ from its default: Terraform would read \`${name}\`.`,
    ]);
  });

  test('is its default whatever other words a command of Terraform has', async () => {
    const env = { TF_CLI_ARGS: '-no-color -parallelism=1', TF_CLI_ARGS_destroy: '-var v=x', TF_CLI_ARGS_plan: '' };
    expect(messagesOf(await used({ nullable: false }, env))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { FLAVOURS, openStack } from './flavours.ts';

describe.each(FLAVOURS)('Values that a program of $name produces at synthesis', (flavour) => {
  const { cdk, keys } = flavour;
  const { ApiKey, KeyplaneTesting, SmokeCheck } = keys;
  const { Fn, Lazy, TerraformVariable } = cdk;
  const lazy = (value: unknown) => Lazy.anyValue({ produce: () => value }) as never;

  it('are validated like literals, and once', () => {
    const { app, stack } = openStack(flavour);
    const budget = { usd: 1 };
    new ApiKey(stack, 'Whole', { name: 'whole', budget: lazy({ usd: 5, perr: 'month' }) });
    new ApiKey(stack, 'Part', { name: 'part', budget: { usd: Lazy.numberValue({ produce: () => -1 }) } });
    new ApiKey(stack, 'List', { name: 'list', budget, models: lazy([]) });
    const expires = Lazy.stringValue({ produce: () => 'tomorrow' });
    new ApiKey(stack, 'Text', { name: 'text', budget, expires });
    new ApiKey(stack, 'Good', { name: 'good', budget: lazy({ usd: 5, per: 'month' }), models: lazy(['m']) });
    expect(KeyplaneTesting.problems(app)).toEqual([
      expect.stringContaining('[prod/Whole/Resource] `budget.perr`: Unknown field.'),
      expect.stringContaining('[prod/Part/Resource] `budget.usd`: '),
      expect.stringContaining('[prod/List/Resource] `models`: '),
      expect.stringContaining('[prod/Text/Resource] `expires`: '),
    ]);
  });

  it('are encoded in JSON like literals, also within values that only Terraform knows', () => {
    const { app, stack } = openStack(flavour);
    const list = new TerraformVariable(stack, 'list', { type: 'list(string)' });
    const any = new TerraformVariable(stack, 'any', { type: 'any' });
    const text = Lazy.stringValue({ produce: () => 'a "b"' });
    const json = {
      ...{
        whole: text,
        part: `<${text}>`,
        number: Lazy.numberValue({ produce: () => 5 }),
        object: lazy({ a: [text] }),
      },
      ...{ list: list.listValue, merged: Fn.merge([any.value, { a: { b: {} } }]), odd: lazy({ x: any.value }) },
      mixed: Lazy.stringValue({ produce: () => `<${any.stringValue}>` }),
    } as never;
    const key = new ApiKey(stack, 'Key', { name: 'a', budget: { usd: 1 }, smartRouting: { tiers: json } });
    const expected =
      '{"whole":"a \\"b\\"","part":"<a \\"b\\">","number":5,"object":{"a":["a \\"b\\""]},"list":${jsonencode(var.list)},' +
      '"merged":${jsonencode(merge(var.any, {"a" = {"b" = {}}}))},"odd":{"x":${jsonencode(var.any)}},' +
      '"mixed":${jsonencode(join("", ["<", var.any, ">"]))}}';
    new SmokeCheck(stack, 'Check', { key, module: 'chat', request: json, expect: { jsonSchema: json } });
    new ApiKey(stack, 'Whole', { name: 'b', budget: { usd: 1 }, smartRouting: { tiers: lazy({ a: 1 }) } });
    expect(KeyplaneTesting.problems(app)).toEqual([]);
    expect(KeyplaneTesting.key(stack, 'a').attributes).toMatchObject({ smart_routing_tiers: expected });
    expect(KeyplaneTesting.key(stack, 'b').attributes).toMatchObject({ smart_routing_tiers: '{"a":1}' });
    const [check] = Object.values(JSON.parse(cdk.Testing.synth(stack)).data.keyplane_check);
    expect(check).toMatchObject({ request: expected, expect: { json_schema: expected } });
  });
});

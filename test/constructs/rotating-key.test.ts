import { describe, expect, it } from 'vitest';
import { FLAVOURS, openStack } from './flavours.ts';

describe.each(FLAVOURS)('RotatingKey of $name', (flavour) => {
  const { cdk, keys } = flavour;
  const { ApiKey, KeyplaneTesting, RotatingKey } = keys;
  const props = { name: 'desk', every: '91d', overlap: '14d', budget: { usd: 5 } } as const;

  it('is one resource with a rotation, whatever the time of the synthesis is', () => {
    const written = (now: string) => {
      const { stack } = openStack(flavour, 'prod', KeyplaneTesting.app(now));
      const key = new RotatingKey(stack, 'Desk', { ...props, models: ['alpha-chat-1'] });
      new cdk.TerraformOutput(stack, 'number', { value: key.keyId });
      expect(KeyplaneTesting.problems(stack)).toEqual([]);
      return JSON.parse(cdk.Testing.synth(stack));
    };
    const early = written('2026-01-01T00:00:00Z');
    expect(early.resource).toEqual(written('2031-04-03T00:00:00Z').resource);
    const [[label, block] = ['', {}], ...others] = Object.entries(early.resource.keyplane_api_key);
    expect(block).toMatchObject({
      name: 'desk',
      models: ['alpha-chat-1'],
      rotation: { every: '91d', overlap: '14d' },
    });
    expect([others, early.output.number.value]).toEqual([[], `\${keyplane_api_key.${label}.id}`]);
  });

  it('is what the prop of a key makes, with a time without use', () => {
    const { stack } = openStack(flavour);
    new ApiKey(stack, 'Key', { name: 'a', rotation: { every: '90d', overlap: '7d', quiet: '2d' } });
    expect(KeyplaneTesting.key(stack, 'a').attributes).toMatchObject({
      rotation: { every: '90d', overlap: '7d', quiet: '2d' },
    });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
  });

  it.each([
    ['a word', { overlap: 'a week' }, '`rotation.overlap`: Expected a duration such as 90d, got "a week".'],
    ['a long overlap', { overlap: '91d' }, '`rotation.overlap`: 91d must be shorter than `every`, 91d.'],
    ['a short interval', { every: '30m', overlap: '1m' }, '`rotation.every`: Must be at least 1h.'],
    ['a number', { every: 90 as never }, '`rotation.every`: Expected a duration such as 90d, got a number.'],
    ['no overlap', { overlap: undefined as never }, '`rotation.overlap`: Expected a duration'],
    ['a misspelled part', { quite: '1d' } as object, '`quite`: Unknown field.'],
  ])('rejects %s', (_, wrong, expected) => {
    const { stack } = openStack(flavour);
    new RotatingKey(stack, 'Desk', { ...props, ...wrong });
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringContaining(expected)]);
  });

  it('leaves durations that only Terraform knows to the provider', () => {
    const { stack } = openStack(flavour);
    new RotatingKey(stack, 'Desk', { ...props, every: '${var.every}' });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
  });
});

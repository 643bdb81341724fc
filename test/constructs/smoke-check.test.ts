import { describe, expect, it } from 'vitest';
import { ASSERTIONS } from '../../src/domain/index.ts';
import { FLAVOURS, openStack } from './flavours.ts';

type SynthesizedBlock = {
  readonly data: { readonly keyplane_check: Record<string, Record<string, unknown>> };
  readonly check?: object;
};

describe.each(FLAVOURS)('SmokeCheck of $name', (flavour) => {
  const { cdk, keys } = flavour;
  const { ApiKey, KeyplaneTesting, RotatingKey, SmokeCheck } = keys;
  const synth = (stack: ReturnType<typeof openStack>['stack']): SynthesizedBlock =>
    stack.toTerraform() as SynthesizedBlock;
  const everything = {
    contains: 'pong',
    matches: '^p',
    jsonSchema: { type: 'object' },
    toolCall: 'look',
    dimensions: 3,
    minDimensions: 2,
    minInputTokens: 1,
    maxInputTokens: 9,
    count: 1,
    format: 'png',
    width: 4,
    height: 5,
    minWidth: 3,
    minHeight: 2,
    seconds: 4.5,
    audio: true,
    maxLatencyMs: 100,
    maxFirstByteMs: 50,
    maxCost: '0.1',
  } as const;

  it('asks for a request and holds the answer to every expectation that there is', () => {
    const { stack } = openStack(flavour);
    const key = new ApiKey(stack, 'Key', { name: 'a' });
    const check = new SmokeCheck(stack, 'pong', {
      key,
      module: 'chat',
      model: 'alpha-chat-1',
      family: 'delta',
      request: { max_tokens: 5, messages: [{ role: 'user', content: 'reply "pong"' }] },
      expect: everything,
      timeout: '30s',
      retries: 2,
      maxCostUsd: 0.5,
    });
    const written = JSON.parse(cdk.Testing.synth(stack, true)).data.keyplane_check[check.resource.friendlyUniqueId];
    expect(Object.keys(everything).sort()).toEqual(Object.keys(ASSERTIONS).sort());
    const expected = Object.entries({ ...everything, contains: ['pong'], jsonSchema: '{"type":"object"}' });
    expect(written).toEqual({
      key_id: `\${keyplane_api_key.${key.resource.friendlyUniqueId}.id}`,
      module: 'chat',
      model: 'alpha-chat-1',
      family: 'delta',
      request: '{"max_tokens":5,"messages":[{"role":"user","content":"reply \\"pong\\""}]}',
      expect: Object.fromEntries(expected.map(([name, value]) => [ASSERTIONS[name as 'count'].terraform, value])),
      timeout: '30s',
      retries: 2,
      max_cost_usd: 0.5,
      lifecycle: { postcondition: [{ condition: '${self.passed}', error_message: '${self.message}' }] },
    });
  });

  it('stops Terraform where it fails, or only warns', () => {
    const { stack } = openStack(flavour);
    const key = new RotatingKey(stack, 'Desk', {
      name: 'd',
      every: '90d',
      overlap: '7d',
    });
    const check = new SmokeCheck(stack, 'soft', { key, module: 'chat', onFailure: 'warn', name: 'desk answers' });
    const { friendlyUniqueId: id } = check.resource;
    const written = synth(stack);
    expect(written.data.keyplane_check[id]).toMatchObject({ '//': { keyplane: { name: 'desk answers' } } });
    expect(written.data.keyplane_check[id]?.lifecycle).toBeUndefined();
    expect(written.check).toEqual({
      [id]: {
        assert: [
          { condition: `\${data.keyplane_check.${id}.passed}`, error_message: `\${data.keyplane_check.${id}.message}` },
        ],
      },
    });
  });

  it.each([
    ['an unknown module', { module: 'telepathy' }, '`module`: Unknown module "telepathy". Expected one of chat, '],
    ['no module', { module: undefined }, '`module`: Expected one of chat, '],
    ['what is paid for, unless it is meant', { module: 'image' }, '`costly`: image costs money at every run.'],
    ['a time without a unit', { timeout: '30' }, '`timeout`: Expected a duration such as 30s or 10m, at most a day.'],
    ['two days', { timeout: '48h' }, '`timeout`: Expected a duration'],
    ['six attempts more', { retries: 6 }, '`retries`: Expected a whole number from 0 to 5.'],
    ['a negative cap', { maxCostUsd: -1 }, '`maxCostUsd`: Expected an amount of dollars of 0 or more.'],
    [
      'a negative cost',
      { expect: { maxCost: '-0.1' } },
      '`expect.maxCost`: Expected an amount of US dollars that is not negative.',
    ],
    ['half a pattern', { expect: { matches: '(' } }, '`expect.matches`: Expected a regular expression.'],
    ['a long name', { name: 'x'.repeat(51) }, '`name`: it has 51 characters, at most 50 are allowed.'],
  ])('refuses %s', (_, props, expected) => {
    const { stack } = openStack(flavour);
    const key = new ApiKey(stack, 'Key', { name: 'a' });
    new SmokeCheck(stack, 'pong', { key, module: 'chat', ...(props as object) });
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringContaining(`[prod/pong] ${expected}`)]);
  });

  it('takes what is paid for when it is meant', () => {
    const { stack } = openStack(flavour);
    const key = new ApiKey(stack, 'Key', { name: 'a' });
    new SmokeCheck(stack, 'poster', { key, module: 'image', costly: true });
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
  });
});

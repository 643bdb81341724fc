import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckSpec, Json } from '../../../src/domain/index.ts';
import { openStage, type Stage } from '../stage.ts';
import {
  asking,
  batch,
  chat,
  count,
  EACH,
  EMBEDDING,
  embeddings,
  expecting,
  native,
  objectFormat,
  PERSON,
  promptFields,
  responses,
  type Spec,
  schemaFormat,
  stream,
  TEXTUAL,
  tools,
  whyOf,
} from './asked.ts';

const LONG = 'Explain in one sentence what a lighthouse is for, and for whom it was built first of all.';

describe.each(['contract', 'deployed'] as const)('against an honest gateway (%s)', (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(profile);
  });
  afterAll(() => stage.close());

  // Deployed gateways count no tokens.
  const isServed = ({ module }: Pick<CheckSpec, 'module'>): boolean =>
    profile === 'contract' || module !== 'count-tokens';

  test.each(EACH.filter(isServed))('$module passes with nothing reported but the model', async (spec) => {
    const { verdict, findings, exchanges, reason } = await stage.run(spec);
    expect({ verdict, reason }).toEqual({ verdict: 'passed', reason: undefined });
    expect(findings.length).toBeGreaterThan(1);
    expect(exchanges.length).toBeGreaterThan(0);
  });

  test.each(['text-embedding-3-large', 'text-embedding-3-small'])('embeddings of %s have its length', async (model) => {
    const { findings } = await stage.run({ ...embeddings, model });
    const size = model.endsWith('large') ? 3072 : 1536;
    expect(findings).toContainEqual(
      expect.objectContaining({ claim: `the vectors have ${size} dimensions`, holds: true }),
    );
  });

  const fields = TEXTUAL.flatMap((spec) => {
    const requests: readonly (readonly [string, { readonly [field: string]: Json }])[] = [
      ['a question of its own', promptFields(spec, LONG)],
      ['a JSON object', objectFormat(spec)],
      ['JSON by a schema', schemaFormat(spec)],
      ['a tool, whichever', { tools: tools(spec), tool_choice: 'required' }],
      ['a tool by its name', { tools: tools(spec), tool_choice: 'weather_of' }],
      ['tools that may be left alone', { tools: tools(spec), tool_choice: 'auto' }],
      ['no tool', { tools: tools(spec), tool_choice: 'none' }],
    ];
    return requests.map(([requested, request]) => ({ spec, requested, request, module: spec.module }));
  });

  test.each(fields)('$module passes when asked for $requested', async ({ spec, request }) => {
    expect(whyOf(await stage.run(asking(spec, request)))).toEqual([]);
  });

  const chats: readonly (readonly [string, CheckSpec['request']])[] = [
    ['several candidates', { n: 3 }],
    ['a few tokens', { ...promptFields(chat, LONG), max_tokens: 5 }],
    ['as many tokens as it likes', { max_tokens: null }],
    ['an end before a word', { stop: ['ready'] }],
    [
      'an end before one of two words',
      { ...promptFields(chat, 'Reply with exactly: one two three'), stop: ['three', 'four'] },
    ],
    ['an end before a word, as a text', { stop: 'is' }],
    ['reasoning', { reasoning_effort: 'low' }],
    ['thinking', { enable_thinking: true, max_tokens: 4 }],
    ['a tool in several candidates', { tools: tools(chat), tool_choice: 'required', n: 2 }],
  ];

  test.each(chats.map(([requested, request]) => ({ requested, request })))(
    'chats pass when asked for $requested',
    async ({ request }) => {
      for (const spec of [chat, stream]) expect(whyOf(await stage.run(asking(spec, request)))).toEqual([]);
    },
  );

  test('a streamed chat passes when it does not ask for its usage', async () => {
    expect(whyOf(await stage.run(asking(stream, { stream_options: null })))).toEqual([]);
  });

  test('a long answer that is streamed has come in several parts', async () => {
    const { findings } = await stage.run(asking(stream, promptFields(stream, LONG)));
    expect(findings).toContainEqual(
      expect.objectContaining({ claim: 'the answer comes in several parts', holds: true }),
    );
  });

  test('a response passes when it is made to think', async () => {
    expect(whyOf(await stage.run(asking(responses, { reasoning: { effort: 'high' } })))).toEqual([]);
  });

  const inputs: readonly (readonly [string, Spec, CheckSpec['request']])[] = [
    ['a shorter vector', embeddings, { dimensions: 64 }],
    ['Base64', embeddings, { encoding_format: 'base64' }],
    ['numbers', embeddings, { encoding_format: 'float' }],
    ['one text', embeddings, { input: 'Only this.' }],
    ['texts that are the same', embeddings, { input: ['again', 'again'] }],
    ['token numbers', embeddings, { input: [1, 2, 3] }],
    ['lists of token numbers', embeddings, { input: [[1, 2], [3]] }],
    ['a shorter native vector', native, { outputDimensionality: 64 }],
    ['a text of its own', native, { content: { parts: [{ text: 'Only this.' }] } }],
    ['one text in a batch', batch, { requests: [{ content: { parts: [{ text: 'Only this.' }] } }] }],
    [
      'shorter vectors of three',
      batch,
      { requests: ['a', 'b', 'c'].map((text) => ({ content: { parts: [{ text }] }, outputDimensionality: 32 })) },
    ],
    ['a count of a system prompt and tools', count, { system: 'Be brief.', ...promptFields(count, 'Hello') }],
  ];

  const served = inputs.filter(([, spec]) => isServed(spec));

  test.each(served.map(([requested, spec, request]) => ({ requested, spec, request })))(
    '$requested passes',
    async ({ spec, request }) => {
      expect(whyOf(await stage.run(asking(spec, request)))).toEqual([]);
    },
  );

  describe('an expectation', () => {
    const textual = TEXTUAL.flatMap((spec) => {
      const rows: readonly (readonly [CheckSpec['expect'], string, CheckSpec['request']?])[] = [
        [{ contains: ['keyplane', 'ready'] }, ''],
        [{ contains: ['keyplane', 'Ready'] }, 'the answer contains "Ready"'],
        [{ matches: '^keyplane\\s\\p{L}+' }, ''],
        [{ matches: '^ready' }, 'the answer matches /^ready/u'],
        [{ jsonSchema: PERSON }, '', schemaFormat(spec)],
        [{ jsonSchema: { type: 'array' } }, 'the answer satisfies its schema', schemaFormat(spec)],
        [{ jsonSchema: PERSON }, 'the answer is JSON'],
        [{ toolCall: 'weather_of' }, '', { tools: tools(spec), tool_choice: 'weather_of' }],
        [{ toolCall: 'weather_of' }, 'the tool weather_of is called', { tools: tools(spec), tool_choice: 'time_of' }],
        [{ toolCall: 'weather_of' }, 'the tool weather_of is called', { tools: tools(spec), tool_choice: 'none' }],
        [{ contains: ['ready'] }, 'the answer contains "ready"', { tools: tools(spec), tool_choice: 'required' }],
        [{ maxLatencyMs: 60_000, maxFirstByteMs: 60_000 }, ''],
      ];
      return rows.map(([requested, broken, request = {}]) => ({
        spec,
        requested,
        broken,
        request,
        module: spec.module,
      }));
    });

    test.each(textual)('of $module $requested is checked: “$broken”', async ({ spec, requested, broken, request }) => {
      expect(whyOf(await stage.run(expecting(asking(spec, request), requested)))).toEqual(broken ? [broken] : []);
    });

    const sizes = EMBEDDING.flatMap((spec) => {
      const size = spec === embeddings ? 1536 : 768;
      return [
        { spec, module: spec.module, requested: { dimensions: size }, broken: '' },
        { spec, module: spec.module, requested: { dimensions: 64 }, broken: 'the vectors have 64 dimensions' },
        { spec, module: spec.module, requested: { minDimensions: size }, broken: '' },
        {
          spec,
          module: spec.module,
          requested: { minDimensions: size + 1 },
          broken: `the vectors have at least ${size + 1} dimensions`,
        },
      ];
    });

    test.each(sizes)('of $module $requested is checked: “$broken”', async ({ spec, requested, broken }) => {
      expect(whyOf(await stage.run(expecting(spec, requested)))).toEqual(broken ? [broken] : []);
    });

    if (isServed(count)) {
      test.each<[CheckSpec['expect'], string]>([
        [{ minInputTokens: 1, maxInputTokens: 100 }, ''],
        [{ minInputTokens: 1000 }, 'it counts at least 1000'],
        [{ maxInputTokens: 2 }, 'it counts at most 2'],
      ])('of count-tokens %o is checked: “%s”', async (requested, broken) => {
        expect(whyOf(await stage.run(expecting(count, requested)))).toEqual(broken ? [broken] : []);
      });
    }
  });
});

const PAYING = [...TEXTUAL, ...EMBEDDING];

describe('what a gateway cannot or may not do now', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage('contract');
  });
  afterAll(() => stage.close());
  const answer = (path: string, status: number, code: string) =>
    stage.control.script({
      kind: 'answer',
      status,
      path,
      body: { error: { code, message: 'no', type: 'new_api_error' } },
      times: 20,
    });

  test.each([
    ['version 0.13', { error: { message: 'Invalid URL', type: 'invalid_request_error', param: '', code: '' } }],
    ['one-hub', { error: { message: 'Not Found', type: 'one_hub_error', code: 'not_found' } }],
    ['a proxy', '<html><title>404 Not Found</title></html>'],
    ['a bare server', ''],
  ])('is unprovable: tokens are not counted by %s', async (_, body) => {
    const path = '/v1/messages/count_tokens';
    await stage.control.script({ kind: 'answer', status: 404, path, body, times: 20 });
    expect(await stage.run(count)).toMatchObject({
      verdict: 'unprovable',
      reason: expect.stringContaining('the gateway does not count tokens'),
    });
  });

  test('is unprovable, and tried again: the gateway is overloaded', async () => {
    await answer('/v1/chat/completions', 503, 'system_cpu_overloaded');
    expect(await stage.run({ ...chat, retries: 1 })).toMatchObject({
      verdict: 'unprovable',
      code: 'gateway.overloaded',
      attempts: 2,
    });
  });
});

describe('money', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage('contract');
  });
  afterAll(() => stage.close());

  test.each(PAYING)('of $module is reported by the usage log', async (spec) => {
    const { cost } = await stage.run(spec);
    expect(cost.charged).toBeGreaterThan(0n);
  });

  test('of count-tokens is none', async () => {
    const { cost } = await stage.run(count);
    expect(cost.charged ?? 0n).toBe(0n);
  });

  test.each(PAYING)('of $module beyond what was expected fails it', async (spec) => {
    expect(whyOf(await stage.run(expecting(spec, { maxCost: '1' })))).toEqual([]);
    expect(whyOf(await stage.run(expecting(spec, { maxCost: '0' })))).toEqual([expect.stringMatching(/cost/)]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';
import { batch, chat, embeddings, native, responses, type Spec, whyOf } from './asked.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.control.clearFaults());
afterAll(() => stage.close());

async function whyWith(how: 'missing' | 'wrong', spec: Spec): Promise<readonly string[]> {
  await stage.control.script({ kind: 'usage', how, method: 'POST', path: '/v1*' });
  return whyOf(await stage.run(spec));
}

describe('usage figures', () => {
  test.each([responses, batch, native])(
    'need not be there where no shape is shown, or upstreams omit it: $module',
    async (spec) => {
      expect(await whyWith('missing', spec)).toEqual([]);
    },
  );

  test('are checked as far as they are reported: a total alone proves nothing', async () => {
    const text = 'keyplane ready';
    const output = [{ type: 'message', content: [{ type: 'output_text', text }] }];
    const answer = (usage: object) => {
      const body = { status: 'completed', model: 'alpha-chat-1', output, usage };
      return { kind: 'answer', body, path: '/v1/responses' };
    };
    const asked = { ...responses, request: { input: 'Are you ready?' } };
    await stage.control.script(answer({ total_tokens: 7 }));
    expect(whyOf(await stage.run(asked))).toEqual([]);
    await stage.control.script(answer({ input_tokens: 4, output_tokens: 2, total_tokens: 7 }));
    expect(whyOf(await stage.run(asked))).toEqual(['the total is the sum of input and output']);
  });

  test.each([chat, embeddings])('must be there where the contract shows them: $module', async (spec) => {
    expect(await whyWith('missing', spec)).toEqual(['the answer reports its usage']);
  });

  test.each([responses, batch, native])('that are there add up, shown or not: $module', async (spec) => {
    expect(await whyWith('wrong', spec)).toEqual([expect.stringMatching(/^the total (is|equals)/)]);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../../../src/gateway/index.ts';
import { openStage, type Stage } from '../stage.ts';
import { chat, whyOf } from './asked.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('deployed');
});
afterAll(() => stage.close());

/** The gateway, whose chats do not name the model that has answered. */
const unnaming = (gateway: Gateway): Gateway => ({
  ...gateway,
  inference(key) {
    const inference = gateway.inference(key);
    return {
      ...inference,
      async chat(...call) {
        const answered = await inference.chat(...call);
        return { ...answered, value: { ...answered.value, model: undefined } };
      },
    };
  },
});

it('proves the model of an answer that names none by the usage log', async () => {
  const result = await stage.run(chat, { gateway: unnaming(stage.gateway) });
  expect([result.verdict, whyOf(result)]).toEqual(['passed', []]);
  expect(result.findings.map(({ claim }) => claim)).toContainEqual(
    expect.stringMatching(/^it was billed as the requested model: /),
  );
});

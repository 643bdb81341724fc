/** Proves the keys of a manifest with a check of one’s own, next to those that the manifest selects. */
import { createKeyplane, type Manifest, openGateway, render } from 'keyplane';
import { defineCheck } from 'keyplane/checks';

/** Every key that may use the model gets the JSON that our programs read. */
const answersInJson = (model: string) =>
  defineCheck({
    name: 'answers-in-json',
    schedule: 'cheap',
    timeoutMs: 20_000,
    async run({ key, inference, signal, claim, exchange, skip }) {
      if (key.models?.includes(model) === false) skip(`the key may not use ${model}`);
      const content = 'Reply with exactly: {"ready":true}';
      const request = { model, messages: [{ role: 'user', content }], max_tokens: 20 } as const;
      const answered = await inference.chat(request, { signal });
      exchange('chat', request, answered);
      const [choice] = answered.value.choices;
      claim('the answer is the JSON of the request', choice?.message.content === '{"ready":true}');
    },
  });

/** Returns the report as Markdown. */
export async function proveKeys(manifest: Manifest, model: string, options: Parameters<typeof openGateway>[0]) {
  await using gateway = await openGateway(options);
  const report = await createKeyplane({ gateway }).check(manifest, { extra: [answersInJson(model)] });
  return await render(report, 'markdown');
}

import type { TokenCountRequest } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { speaks } from '../model-kinds.ts';

const WORDS = 'The harbour lies still in the morning. ';
const MORE = { role: 'user', content: WORDS.repeat(20) };

async function counted({ inference, recorder, signal }: Trial, body: Body, title: string): Promise<number> {
  const answered = await inference.countTokens(body as unknown as TokenCountRequest, { signal });
  recorder.exchange(title, body, answered);
  return answered.value.input_tokens;
}

async function examine(trial: Trial): Promise<void> {
  const { recorder, spec } = trial;
  const body = trial.plea?.body ?? {};
  const { minInputTokens: least, maxInputTokens: most } = spec.expect;
  const tokens = await counted(trial, body, 'count tokens');
  recorder.claim('it counts tokens', Number.isInteger(tokens) && tokens > 0, `${tokens}`);
  if (least !== undefined) recorder.claim(`it counts at least ${least}`, tokens >= least, `${tokens}`);
  if (most !== undefined) recorder.claim(`it counts at most ${most}`, tokens <= most, `${tokens}`);
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const longer = await counted(trial, { ...body, messages: [...messages, MORE] }, 'count tokens of more');
  recorder.claim('a longer request counts more', longer > tokens, `${tokens}, then ${longer}`);
}

export const COUNT_TOKENS_MODULE: CheckModuleEntry = {
  id: 'count-tokens',
  schedule: 'free',
  pays: false,
  isAsynchronous: false,
  wantsUsableKey: true,
  timeoutMs: 30_000,
  expects: ['minInputTokens', 'maxInputTokens', 'maxLatencyMs', 'maxFirstByteMs'],
  takes: speaks,
  plea: (model, { request }) => ({
    family: 'token-counting',
    body: mergeRequest({ model, messages: [{ role: 'user', content: WORDS }] }, request),
  }),
  proves: 'a count of tokens that is above 0 and grows with the text',
  examine,
};

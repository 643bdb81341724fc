import { asFault } from '../../domain/index.ts';
import type { TokenCountRequest } from '../../wire/index.ts';
import { draftText } from '../built-in-texts.ts';
import { type RequestContext, requestModule } from '../check-module.ts';
import { asRequest, mergeRequest } from '../check-request.ts';
import { isChatModel } from '../model-kinds.ts';

const MORE = { role: 'user' as const, content: 'The harbour lies still in the morning. '.repeat(20) };

type CountContext = RequestContext<'token-counting'>;

type Counted = Awaited<ReturnType<CountContext['inference']['countTokens']>>;

const countTokens = ({ inference, recorder, signal }: CountContext, body: TokenCountRequest): Promise<Counted> =>
  inference.countTokens(asRequest(body), { signal }).catch((thrown: unknown) => {
    const { detail, message } = asFault(thrown);
    // Gateways without the route answer before they look at the key or the request.
    if (detail.status === 404) return recorder.unprovable(`the gateway does not count tokens: ${message}`);
    throw thrown;
  });

async function run(context: CountContext): Promise<void> {
  const { recorder, spec, request } = context;
  const { body } = request;
  const { minInputTokens: min, maxInputTokens: max } = spec.expect;
  const longerBody = { ...body, messages: [...body.messages, MORE] };
  // Neither depends on the other, and both are free.
  const asked = [countTokens(context, body), countTokens(context, longerBody)] as const;
  await Promise.allSettled(asked);
  const first = await asked[0];
  recorder.exchange('count tokens', body, first);
  const tokens = first.value.input_tokens;
  recorder.claim('it counts tokens', Number.isInteger(tokens) && tokens > 0, `${tokens}`);
  if (min !== undefined) recorder.claim(`it counts at least ${min}`, tokens >= min, `${tokens}`);
  if (max !== undefined) recorder.claim(`it counts at most ${max}`, tokens <= max, `${tokens}`);
  const second = await asked[1];
  recorder.exchange('count tokens of more', longerBody, second);
  const longer = second.value.input_tokens;
  recorder.claim('a longer request counts more', longer > tokens, `${tokens}, then ${longer}`);
}

export const COUNT_TOKENS_MODULE = requestModule({
  id: 'count-tokens',
  schedule: 'free',
  pays: false,
  isAsynchronous: false,
  needsUsableKey: true,
  timeoutMs: 30_000,
  assertions: ['minInputTokens', 'maxInputTokens', 'maxLatencyMs', 'maxFirstByteMs'],
  families: ['token-counting'],
  accepts: isChatModel,
  buildRequest: (model, { request }) => ({
    family: 'token-counting',
    body: mergeRequest({ model, messages: [{ role: 'user', content: draftText('sentence') }] }, request),
  }),
  proves: 'a token count above 0 that grows with the text',
  run,
});

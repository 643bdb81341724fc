import type { Answered, Images } from '../../gateway/index.ts';
import type { CheckRecorder } from '../check-module.ts';

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Tokens in and out are all of them, where the answer tells all three. */
export function claimTokens(recorder: CheckRecorder, usage: Images['usage']): void {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage ?? {};
  if (typeof input !== 'number' || typeof output !== 'number' || typeof total !== 'number') return;
  recorder.claim(
    'the usage figures add up',
    input + output === total && output > 0,
    `${input} + ${output}, ${total} in all`,
  );
}

/** Claims that what the answer says of its usage is so. What it does not say is not asked for. */
export function claimUsage(recorder: CheckRecorder, { value, raw }: Answered<Images>): void {
  claimTokens(recorder, value.usage);
  const { usage } = (raw ?? {}) as { readonly usage?: { readonly image_count?: unknown } };
  const count = numberIn(usage?.image_count);
  if (count === undefined) return;
  recorder.claim('as many images are charged as there are', count === value.images.length, String(count));
}

import type { AssertionName, Assertions } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import { claimJson } from './json-claims.ts';
import { matchPatterns } from './within-deadline.ts';

export const TEXT_ASSERTIONS: readonly AssertionName[] = [
  'contains',
  'matches',
  'jsonSchema',
  'toolCall',
  'maxLatencyMs',
  'maxFirstByteMs',
  'maxCost',
];

/** A longer text must arrive in several parts. */
export const LENGTH_OF_ONE_PART = 40;

export const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

export function claimText(recorder: CheckRecorder, text: string): void {
  recorder.claim('the answer has text', text.trim() !== '', `${text.length} characters`);
}

/** Claims the assertions about the text, which may be empty. */
export async function claimExpected(recorder: CheckRecorder, text: string, expect: Assertions): Promise<void> {
  const { contains = [], matches, jsonSchema } = expect;
  for (const part of contains)
    recorder.claim(`the answer contains ${JSON.stringify(part)}`, text.includes(part), shorten(text));
  if (matches !== undefined) {
    const [isMatch] = await matchPatterns(recorder, `/${matches}/u`, [{ pattern: matches, text }]);
    recorder.claim(`the answer matches /${matches}/u`, isMatch === true, shorten(text));
  }
  if (jsonSchema !== undefined) await claimJson(recorder, { text, what: 'the answer' }, jsonSchema);
}

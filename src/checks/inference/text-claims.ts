import type { Assertions } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import { claimJson } from './json-claims.ts';

/** What the built-in question is, and what any model answers to it. */
export const QUESTION = 'Reply with exactly: keyplane is ready';
const ANSWER = /ready/i;

const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

/** An answer in words has some. */
export function claimText(recorder: CheckRecorder, text: string): void {
  recorder.claim('the answer has text', text.trim() !== '', `${text.length} characters`);
}

/** What was expected of the text, be there any or not. */
export function claimExpected(recorder: CheckRecorder, text: string, expect: Assertions): void {
  const { contains = [], matches, jsonSchema } = expect;
  for (const part of contains)
    recorder.claim(`the answer contains ${JSON.stringify(part)}`, text.includes(part), shortened(text));
  if (matches !== undefined) {
    recorder.claim(`the answer matches /${matches}/u`, new RegExp(matches, 'u').test(text), shortened(text));
  }
  if (jsonSchema !== undefined) claimJson(recorder, { text, what: 'the answer' }, jsonSchema);
}

/** Only of the built-in question is the answer known. */
export function claimAnswer(recorder: CheckRecorder, text: string): void {
  recorder.claim('the answer is whole: it says what it was reported to say', ANSWER.test(text), shortened(text));
}

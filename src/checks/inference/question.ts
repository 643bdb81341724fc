import type { CheckRecorder } from '../check-module.ts';
import { shorten } from './text-claims.ts';

/** The part of the answer that any model gives. */
const ANSWER = /ready/i;

/** Checks the text that should answer the built-in question. @param number that of the attempt */
export function claimAnswered(recorder: CheckRecorder, answer: string, number: string): void {
  recorder.claim('the answer is complete: it has the requested words', ANSWER.test(answer), shorten(answer));
  const claim = 'the answer has the number of this question, so it is not that of an earlier one';
  const digits = answer.replaceAll(/\D/g, '');
  recorder.claim(claim, digits.includes(number), `${shorten(answer)}, without ${number}`);
}

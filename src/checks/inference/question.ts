import type { CheckContext, CheckRecorder } from '../check-module.ts';
import { attemptNumber, DRAFT_NUMBER } from '../fresh-text.ts';
import { shorten } from './text-claims.ts';

/** The built-in question. Estimates of costs and reports of unsent checks have it with a number that is never sent. */
const questionWith = (number: string): string => `Reply with exactly: keyplane is ready ${number}`;
export const DRAFT_QUESTION = questionWith(DRAFT_NUMBER);

/** The part of the answer that any model gives. */
const ANSWER = /ready/i;

/** A question that nobody has asked before, so that no cache knows its answer. */
export interface FreshQuestion {
  readonly text: string;
  /** Checks the text that should answer it. */
  readonly claimAnswered: (recorder: CheckRecorder, answer: string) => void;
}

/** Makes the question of one attempt. */
export function newQuestion(context: Pick<CheckContext, 'key' | 'spec' | 'clock'>): FreshQuestion {
  const number = attemptNumber(context);
  return {
    text: questionWith(number),
    claimAnswered(recorder, answer) {
      recorder.claim('the answer is complete: it has the requested words', ANSWER.test(answer), shorten(answer));
      const claim = 'the answer has the number of this question, so it is not that of an earlier one';
      const digits = answer.replaceAll(/\D/g, '');
      recorder.claim(claim, digits.includes(number), `${shorten(answer)}, without ${number}`);
    },
  };
}

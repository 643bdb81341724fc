import { wordsIn } from './words.ts';

/** What an answer is made from: the same order gives the same answer. */
export interface TextOrder {
  readonly prompt: string;
  readonly seed: number;
}

/** “Reply with exactly: pong”, “say hello”, “answer only with the word "x"”. */
const ORDER =
  /\b(?:reply|respond|answer|say|repeat|return|output)\b(?:\s+(?:to me|with|only|exactly|just|the|single|word|words|text|following))*\s*[:,]?\s+["'“‘]?([^"'”’\n]{1,200}?)["'”’]?(?:[.!?]|\s*$|\s+and nothing else)/i;

const OPENINGS = ['About', 'Concerning', 'On the matter of', 'You ask about', 'As to'];
const CLOSINGS = [
  'this is what a synthetic model has to say.',
  'the answer depends on nothing but the question and its seed.',
  'there is always more to be found, and nothing of it was looked up.',
  'the same question will be answered with the same words.',
];

const pick = <T>(list: readonly T[], seed: number): T => list[Math.abs(seed) % list.length] as T;

/** How many words of a question are repeated. */
const SHOWN_WORDS = 12;

const shown = (prompt: string): string => {
  const words = prompt.trim().split(/\s+/);
  return words.slice(0, SHOWN_WORDS).join(' ') + (words.length > SHOWN_WORDS ? ' …' : '');
};

/** An answer: what the prompt orders to say, else a sentence that shows what was asked. */
export function answerText({ prompt, seed }: TextOrder): string {
  const ordered = ORDER.exec(prompt)?.[1]?.trim();
  if (ordered) return ordered;
  return `${pick(OPENINGS, seed)} “${shown(prompt)}”: ${pick(CLOSINGS, seed >>> 3)}`;
}

/** What a model thinks before it answers. */
export const thinkAloud = ({ prompt, seed }: TextOrder): string =>
  `The question has ${wordsIn(prompt).length} words. ${pick(OPENINGS, seed + 1)} “${shown(prompt)}” I answer as seed ${seed} says.`;

/** About so many characters of a word make one token. */
const CHARACTERS = 4;

/**
 * The tokens of a text, by an estimate: a word has one for each four characters begun, every other sign one of its own.
 * At least 1 for a text that is not empty.
 */
export function countTokens(text: string): number {
  if (text === '') return 0;
  const words = wordsIn(text).reduce((sum, word) => sum + Math.ceil(word.length / CHARACTERS), 0);
  const signs = text.match(/[^\p{L}\p{N}\s]/gu)?.length ?? 0;
  return Math.max(1, words + signs);
}

import { wordsIn } from './words.ts';

/** What an answer is made from: the same order gives the same answer. */
export interface TextOrder {
  readonly prompt: string;
  readonly seed: number;
}

/** What may follow the thing to say, and is none of it. */
const AFTERTHOUGHT = '(?:[.,;]?\\s+(?:and\\s+)?nothing\\s+(?:else|more)\\b.*)?';
const ANSWER = '\\b(?:reply|respond|answer|say|repeat|echo|return|output|write|print)\\b';

/** Orders to say a thing, with the thing as their group, from the plainest to the vaguest. */
const ORDERS: readonly RegExp[] = [
  // reply with the word "x"
  new RegExp(`${ANSWER}[^"“\n:?]{0,60}:?\\s*["“]([^"”\n]+)["”]`, 'i'),
  // Reply with exactly: pong
  new RegExp(
    `${ANSWER}[^\n:?]{0,40}\\b(?:exactly|only|just|with|this|following|words?|text)\\s*:\\s*(.+?)${AFTERTHOUGHT}$`,
    'im',
  ),
  // Respond with only the word OK.
  new RegExp(
    `${ANSWER}\\s+(?:only\\s+|just\\s+)?with\\s+(?:(?:exactly|only|just|the|single|one|word|text)\\s+)*([\\p{L}\\p{N}_-]+)${AFTERTHOUGHT}[.!]?\\s*$`,
    'iu',
  ),
  // Say hello
  new RegExp(
    `^\\s*(?:please\\s+)?(?:say|repeat|echo)(?:\\s+(?:after me|exactly|only|just))*[:,]?\\s+([^\n?]{1,200}?)${AFTERTHOUGHT}[.!]?\\s*$`,
    'i',
  ),
];

/** An order stands at the beginning or at the end. Patterns like these take forever on a text that is long and strange. */
const ORDER_LETTERS = 400;

/** What the prompt orders to say; undefined: it orders nothing so simple. */
function ordered(prompt: string): string | undefined {
  const places =
    prompt.length <= ORDER_LETTERS ? [prompt] : [prompt.slice(0, ORDER_LETTERS), prompt.slice(-ORDER_LETTERS)];
  for (const place of places) {
    for (const order of ORDERS) {
      const words = order.exec(place)?.[1]?.trim();
      if (words) return words;
    }
  }
  return undefined;
}

const OPENINGS = ['About', 'Concerning', 'On the matter of', 'You ask about', 'As to'];
const CLOSINGS = [
  'this is what a synthetic model has to say.',
  'the answer depends on nothing but the question and its seed.',
  'there is always more to be found, and nothing of it was looked up.',
  'the same question will be answered with the same words.',
];

const pick = <T>(list: readonly T[], seed: number): T => list[Math.abs(Math.trunc(seed)) % list.length] as T;

/** How much of a question is repeated. */
const SHOWN_WORDS = 12;
const SHOWN_LETTERS = 100;

function shown(prompt: string): string {
  if (prompt.trim() === '') return 'nothing';
  const words = prompt.trim().split(/\s+/);
  const letters = [...words.slice(0, SHOWN_WORDS).join(' ')];
  const isWhole = words.length <= SHOWN_WORDS && letters.length <= SHOWN_LETTERS;
  return isWhole ? letters.join('') : `${letters.slice(0, SHOWN_LETTERS).join('').trimEnd()} …`;
}

/** An answer: what the prompt orders to say, else a sentence that shows what was asked. */
export const answerText = ({ prompt, seed }: TextOrder): string =>
  ordered(prompt) ?? `${pick(OPENINGS, seed)} “${shown(prompt)}”: ${pick(CLOSINGS, seed / 8)}`;

/** What a model thinks before it answers. */
export const thinkAloud = ({ prompt, seed }: TextOrder): string =>
  `The question has ${wordsIn(prompt).length} words. ${pick(OPENINGS, seed + 1)} “${shown(prompt)}” I answer as seed ${seed} says.`;

/** About so many characters of a word make one token. */
const CHARACTERS = 4;
/** Scripts that are written without blanks: each letter counts. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * The tokens of a text, by an estimate: a word has one for each four characters begun, every other sign one of its own,
 * and so has a letter of a script without blanks. At least 1 for a text that is not empty.
 */
export function countTokens(text: string): number {
  if (text === '') return 0;
  const dense = text.match(DENSE)?.length ?? 0;
  const sparse = dense === 0 ? text : text.replace(DENSE, ' ');
  const words = wordsIn(sparse).reduce((sum, word) => sum + Math.ceil(word.length / CHARACTERS), 0);
  const signs = sparse.match(/[^\p{L}\p{N}\p{M}\s]/gu)?.length ?? 0;
  return Math.max(1, dense + words + signs);
}

import { wordsIn } from './words.ts';

/** The input of a generated text. Equal inputs give equal texts. */
export interface TextSpec {
  readonly prompt: string;
  readonly seed: number;
}

/** A phrase that may follow the requested text, and is not part of it. */
const AFTERTHOUGHT = '(?:[.,;]?\\s+(?:and\\s+)?nothing\\s+(?:else|more)\\b.*)?';
const ANSWER = /\b(?:reply|respond|answer|say|repeat|echo|return|output|write|print)\b/.source;

const ECHO = /(?:say|repeat|echo)/.source;

/** Instructions to reply with a given text, which is their group, from the most to the least specific. */
const INSTRUCTIONS: readonly RegExp[] = [
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
  // Repeat: hello
  new RegExp(
    `^\\s*(?:please\\s+)?${ECHO}(?:\\s+(?:after me|exactly|only|just))*[:,]?\\s+([^\n?]{1,200}?)${AFTERTHOUGHT}[.!]?\\s*$`,
    'i',
  ),
];

/** Instructions are at the beginning or at the end. On long unusual texts, patterns like these take forever. */
const INSTRUCTION_LENGTH = 400;

/** The text that the prompt instructs to reply with; undefined when there is no such instruction. */
function tryFindRequestedText(prompt: string): string | undefined {
  const places =
    prompt.length <= INSTRUCTION_LENGTH
      ? [prompt]
      : [prompt.slice(0, INSTRUCTION_LENGTH), prompt.slice(-INSTRUCTION_LENGTH)];
  for (const place of places) {
    for (const instruction of INSTRUCTIONS) {
      const words = instruction.exec(place)?.[1]?.trim();
      if (words) return words;
    }
  }
  return undefined;
}

const OPENINGS = ['About', 'Concerning', 'On the matter of', 'You ask about', 'As to'];
const CLOSINGS = [
  'this is what a synthetic model has to add.',
  'the answer depends on nothing but the question and its seed.',
  'there is always more to be found, and nothing of it was looked up.',
  'the same question will be answered with the same words.',
];

const pick = <T>(list: readonly T[], seed: number): T => list[Math.abs(Math.trunc(seed)) % list.length] as T;

/** The longest part of a prompt that is repeated. */
const SHOWN_WORDS = 12;
const SHOWN_LETTERS = 100;

function excerpt(prompt: string): string {
  if (prompt.trim() === '') return 'nothing';
  const words = prompt.trim().split(/\s+/);
  const letters = [...words.slice(0, SHOWN_WORDS).join(' ')];
  const isWhole = words.length <= SHOWN_WORDS && letters.length <= SHOWN_LETTERS;
  return isWhole ? letters.join('') : `${letters.slice(0, SHOWN_LETTERS).join('').trimEnd()} …`;
}

/** Generates an answer: the text that the prompt requests, otherwise a sentence that quotes the prompt. */
export const answerText = ({ prompt, seed }: TextSpec): string =>
  tryFindRequestedText(prompt) ?? `${pick(OPENINGS, seed)} “${excerpt(prompt)}”: ${pick(CLOSINGS, seed / 8)}`;

/** Generates the reasoning before an answer. */
export const generateReasoning = ({ prompt, seed }: TextSpec): string =>
  `The question has ${wordsIn(prompt).length} words. ${pick(OPENINGS, seed + 1)} “${excerpt(prompt)}” I answer as seed ${seed} asks.`;

/** The approximate number of characters in a token. */
const CHARACTERS = 4;
/** Scripts that are written without spaces: each letter is a token. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/**
 * Estimates the tokens of a text: one for every four characters of a word, rounded up, and one for each other character
 * and for each letter of a script without spaces. At least 1 for a text that is not empty.
 */
export function countTokens(text: string): number {
  if (text === '') return 0;
  const dense = text.match(DENSE)?.length ?? 0;
  const sparse = dense === 0 ? text : text.replace(DENSE, ' ');
  const words = wordsIn(sparse).reduce((sum, word) => sum + Math.ceil(word.length / CHARACTERS), 0);
  const signs = sparse.match(/[^\p{L}\p{N}\p{M}\s]/gu)?.length ?? 0;
  return Math.max(1, dense + words + signs);
}

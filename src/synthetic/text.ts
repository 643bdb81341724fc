import { countWords } from './words.ts';

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

/** The first words of a prompt, at most so many. The rest of a long prompt is not read. */
function firstWords(prompt: string, most: number): readonly string[] {
  const words: string[] = [];
  for (const [word] of prompt.matchAll(/\S+/g)) {
    if (words.length === most) break;
    words.push(word);
  }
  return words;
}

function excerpt(prompt: string): string {
  const words = firstWords(prompt, SHOWN_WORDS + 1);
  if (words.length === 0) return 'nothing';
  const shown = words.slice(0, SHOWN_WORDS).join(' ');
  // A letter has at most two units: one letter more than is shown decides.
  const letters = [...shown.slice(0, 2 * (SHOWN_LETTERS + 1))];
  const isWhole = words.length <= SHOWN_WORDS && letters.length <= SHOWN_LETTERS;
  return isWhole ? shown : `${letters.slice(0, SHOWN_LETTERS).join('').trimEnd()} …`;
}

/** Generates an answer: the text that the prompt requests, otherwise a sentence that quotes the prompt. */
export const answerText = ({ prompt, seed }: TextSpec): string =>
  tryFindRequestedText(prompt) ?? `${pick(OPENINGS, seed)} “${excerpt(prompt)}”: ${pick(CLOSINGS, seed / 8)}`;

/** Generates the reasoning before an answer. */
export const generateReasoning = ({ prompt, seed }: TextSpec): string =>
  `The question has ${countWords(prompt)} words. ${pick(OPENINGS, seed + 1)} “${excerpt(prompt)}” I answer as seed ${seed} asks.`;

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerText, countTokens, generateReasoning } from '../../src/synthetic/index.ts';
import { cpuTimeOf } from '../cpu-time.ts';

const answer = (prompt: string, seed = 1): string => answerText({ prompt, seed });

/** A word that prompts use. */
const PROMPT_WORD = /Say/.source;

describe('an answer', () => {
  it.each([
    ['Reply with exactly: pong', 'pong'],
    [`${PROMPT_WORD} hello`, 'hello'],
    ['reply with the word "x"', 'x'],
    [`${PROMPT_WORD} this is a test`, 'this is a test'],
    ['Respond with only the word OK.', 'OK'],
    ['Please reply with only the word OK and nothing else.', 'OK'],
    ['A long day.\n\nReply with exactly: a b c', 'a b c'],
    ['Return exactly this: {"a":1}', '{"a":1}'],
    ['Repeat after me: Ünïcödé 😀', 'Ünïcödé 😀'],
  ])('to %j is %j', (prompt, expected) => {
    expect(answer(prompt)).toBe(expected);
  });

  it.each([
    `What would you ${PROMPT_WORD.toLowerCase()} about cats?`,
    'Return a list of all files.',
    'Reply with JSON describing a user',
    'Answer the question: what is the time?',
    'Почём хлеб?',
  ])('to %j shows what was asked', (prompt) => {
    expect(answer(prompt)).toContain(`“${prompt}”`);
    expect(answer(prompt).length).toBeGreaterThan(prompt.length + 10);
  });

  it('shows a few words of a long question, even without spaces', () => {
    expect(answer('many words make it long '.repeat(1000)).length).toBeLessThan(250);
    expect([...answer('长'.repeat(30_000))].length).toBeLessThan(250);
  });

  it('is never empty, is equal for equal specs, and depends on the seed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (prompt, seed) => {
        const generated = answer(prompt, seed);
        expect(generated.trim()).not.toBe('');
        expect(answer(prompt, seed)).toBe(generated);
        expect(generateReasoning({ prompt, seed })).toBe(generateReasoning({ prompt, seed }));
      }),
    );
    expect(new Set([0, 1, 2, 3, 4].map((seed) => answer('Why?', seed))).size).toBeGreaterThan(1);
    expect(generateReasoning({ prompt: 'Why?', seed: 3 })).toContain('Why?');
  });

  it('is quick for a prompt made to confuse it', async () => {
    const prompts = [`${PROMPT_WORD} `, 'reply with ', 'reply with the ', '"', `${PROMPT_WORD}\n`, 'nothing else ']
      .map((part) => part.repeat(40_000))
      .flatMap((long) => [long, `reply ${long.slice(0, 380)}??`]);
    const cpuMs = await cpuTimeOf(() => prompts.map(answer));
    expect(cpuMs).toBeLessThan(20_000);
  });
});

describe('tokens', () => {
  it('are zero for an empty text, and at least one otherwise', () => {
    expect(countTokens('')).toBe(0);
    fc.assert(fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => countTokens(text) >= 1));
  });

  it.each([
    ['cat', 1],
    ['elephant', 2],
    ['Hello, world!', 6],
    ['   ', 1],
    ['面包多少钱', 5],
    ['price: 面包 now', 6],
  ])('of %j are %d', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  it('are counted by the characters of each word, whatever the text is', () => {
    const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;
    const byLists = (text: string): number => {
      const sparse = text.replace(DENSE, ' ');
      const words = sparse.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
      const signs = (text.match(DENSE) ?? []).length + (sparse.match(/[^\p{L}\p{N}\p{M}\s]/gu) ?? []).length;
      return text === '' ? 0 : Math.max(1, signs + words.reduce((sum, word) => sum + Math.ceil(word.length / 4), 0));
    };
    const letters = fc.constantFrom(
      'a',
      'Ж',
      '面',
      'パ',
      '한',
      'ไ',
      '㈀',
      '𝔸',
      '😀',
      '\ud800',
      '7',
      '\u0301',
      ' ',
      '\n',
      '.',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(letters).map((each) => each.join('')),
    );
    fc.assert(fc.property(text, (any) => countTokens(any) === byLists(any)));
  });

  it('never decrease as words are added', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (words, last) => {
        const text = words.join(' ');
        expect(countTokens(`${text} ${last}`)).toBeGreaterThanOrEqual(countTokens(text));
      }),
    );
  });
});

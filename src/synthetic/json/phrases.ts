import { hashOf, wordsIn } from '../words.ts';

const WITHOUT_PROMPT = 'An answer to nothing';
const LONGEST = 5;

/** Cut or repeated to a length that lies within the bounds, counted as JSON Schema counts: by code points. */
function fitted(phrase: string, least: number, most: number): string {
  const letters = [...phrase];
  if (letters.length === 0) return '';
  while (letters.length < least) letters.push(' ', ...phrase);
  return letters.slice(0, Math.max(least, Math.min(most, letters.length))).join('');
}

/** Short texts of a prompt's own words, each once, within these lengths. Where they begin depends on the seed. */
export function phrasesFor(
  { prompt, seed }: { readonly prompt: string; readonly seed: number },
  { least, most }: { readonly least: number; readonly most: number },
): readonly string[] {
  const own = wordsIn(prompt).slice(0, 40);
  const words = own.length === 0 ? wordsIn(WITHOUT_PROMPT) : own;
  const start = hashOf(prompt, seed) % words.length;
  const phrases = words.map((_, index) => {
    const from = (start + index) % words.length;
    const phrase = words.slice(from, from + LONGEST).join(' ');
    return fitted(phrase, least, most);
  });
  return [...new Set(phrases)];
}

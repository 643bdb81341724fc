import { once } from './once.ts';
import { bareOf, SECRET_MASK, type Secret } from './secret.ts';

/** Shorter values occur in common words. */
const SHORTEST = 8;
/** Shorter parts of a secret occur in other texts, and do not help to guess the rest. */
const FRAGMENT = 8;

const ELLIPSIS = '…';

const NAMED_ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

const hexOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

/** The pattern of one character as JSON, Markdown, HTML, XML, CSV and addresses may spell it, also one within another. */
function spelled(character: string): string {
  const hex = hexOf(character);
  const named = NAMED_ENTITIES[character];
  const inAddress = /\p{Surrogate}/u.test(character) ? [] : [encodeURIComponent(character)];
  // An address may spell any character by its number.
  const byNumber = hex.length === 2 ? [`%${hex}`] : [];
  return `\\\\{0,8}(?:${[
    // CSV doubles quotes.
    character === '"' ? '\\u{22}{1,2}' : `\\u{${hex}}`,
    `u${hex.padStart(4, '0')}`,
    `&#(?:0*${Number.parseInt(hex, 16)}|[xX]0*${hex});`,
    ...(named === undefined ? [] : [`&${named};`]),
    ...new Set([...inAddress.filter((text) => text.startsWith('%')), ...byNumber].map((text) => text.toLowerCase())),
  ].join('|')})`;
}

/** The characters of Base64 that the value alone decides, at each of its three positions in a longer text. */
function base64Of(value: string): readonly string[] {
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap((shift) => {
    const whole = btoa('\0'.repeat(shift) + bytes);
    const own = whole.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The pattern of what follows a part that is long enough to be recognized. */
const REST = `[^\\s${ELLIPSIS}]*`;

/** The most characters of a part, beyond its first or last ones, that are compared one by one: the time grows as its square. */
const COMPARED = 64;

/**
 * The pattern of a beginning or an end, where an ellipsis shows that the rest was cut. Of a longer part everything up to
 * the ellipsis is taken for the secret.
 */
function cutPattern(characters: readonly string[]): string {
  const [begin, end] = [characters.slice(0, FRAGMENT).join(''), characters.slice(-FRAGMENT).join('')];
  const isLong = characters.length > FRAGMENT + COMPARED;
  const after = characters.slice(FRAGMENT, FRAGMENT + COMPARED);
  const more = after.reduceRight((inner, each) => `(?:${each}${inner})?`, isLong ? REST : '');
  const ahead = characters.slice(0, -FRAGMENT).slice(-COMPARED);
  const before = ahead.reduce((inner, each) => `(?:${inner}${each})?`, isLong ? REST : '');
  return `${begin}${more}(?=${ELLIPSIS})|(?<=${ELLIPSIS})${before}${end}`;
}

/** A longer pattern takes seconds to compile, or cannot be compiled at all. */
const LONGEST = 512;

/** The pattern of all characters. Of a longer secret the text up to the next blank is taken for the rest. */
const wholePattern = (characters: readonly string[]): string =>
  characters.slice(0, LONGEST).join('') + (characters.length > LONGEST ? REST : '');

/** The texts and the patterns by which a secret is found in the texts that it may be part of. */
interface Spellings {
  /** The beginnings of the secret and of its Base64, in lower case: a host in an address has no other. */
  readonly plain: readonly string[];
  /** Characters that no pattern matches: what is between two of them is searched by itself. */
  readonly separators: ReadonlySet<string>;
  /** Whole, and cut. Making and compiling them takes longer than most texts that are searched: see {@link blankSecret}. */
  readonly patterns: () => readonly [whole: RegExp, cut: RegExp];
}

/** Characters between words and in JSON, none of which is part of any spelling of another character. */
const SEPARATORS = '\n ,:"()[]{}';

/** Returns those that a secret does not have. {@link REST}, which stands for the rest of a long one, has all but white space. */
function separatorsOf(value: string, spelled: readonly string[]): ReadonlySet<string> {
  const hasRest = spelled.some(({ length }) => length > FRAGMENT + COMPARED);
  return new Set([...SEPARATORS].filter((each) => !value.includes(each) && (!hasRest || /\s/.test(each))));
}

function spellingsOf(value: string): Spellings | undefined {
  const end = bareOf(value);
  const bare = end.length < SHORTEST ? value : end;
  if (bare.length < SHORTEST) return undefined;
  const encoded = [...new Set([value, bare])].flatMap(base64Of);
  const patterns = once((): readonly [RegExp, RegExp] => {
    const forms = [
      [...bare].map(spelled),
      ...encoded.map((text) => [...text].map((each) => `\\\\?\\u{${hexOf(each)}}`)),
    ];
    const whole = forms.map(wholePattern).join('|');
    return [new RegExp(`(?:sk-)?(?:${whole})`, 'giu'), new RegExp(forms.map(cutPattern).join('|'), 'giu')];
  });
  const plain = [bare, ...encoded].map((text) => [...text].slice(0, LONGEST).join('').toLowerCase());
  return { plain, separators: separatorsOf(value, [bare, ...encoded]), patterns };
}

/**
 * The spellings of each secret, made when they are first needed: the class itself is small where a program takes nothing else. No
 * `oncePer`, because bundlers of others would keep whatever is called here.
 */
const SPELLINGS = new WeakMap<Secret, ReturnType<typeof spellingsOf>>();

function knownSpellings(secret: Secret): Spellings | undefined {
  if (!SPELLINGS.has(secret)) SPELLINGS.set(secret, spellingsOf(secret.reveal()));
  return SPELLINGS.get(secret);
}

/** The characters that {@link spelled} spells a character with, if not by itself. */
const ESCAPED = /[\\&%]|u[\da-f]{4}|""/;

/** The places at which a pattern may match something that is not written out. */
const SUSPECT = new RegExp(`${ELLIPSIS}|${ESCAPED.source}`, 'g');

/** Could a mask that a gateway shows be that of this secret? One that hides everything fits all. */
export function fitsMask(secret: Secret, mask: string): boolean {
  const bare = bareOf(secret.reveal());
  const [start = '', ...rest] = bareOf(mask).split(/\*+/);
  const end = rest.at(-1) ?? '';
  return bare.length >= start.length + end.length && bare.startsWith(start) && bare.endsWith(end);
}

/** The ranges of a text that hold a secret, by offsets. */
export function secretRanges(text: string, secret: Secret): readonly (readonly [number, number])[] {
  const value = secret.reveal();
  const ranges: [number, number][] = [];
  if (value.length < SHORTEST) return ranges;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    ranges.push([at, at + value.length]);
  }
  return ranges;
}

function blankPatterns(text: string, value: string, { patterns }: Spellings): string {
  const [whole, cut] = patterns();
  const exact = value.length > LONGEST ? text.replaceAll(value, SECRET_MASK) : text;
  const rest = exact.replace(whole, SECRET_MASK);
  return rest.includes(ELLIPSIS) ? rest.replace(cut, SECRET_MASK) : rest;
}

/** Replaces the parts between separators that have an escape or an ellipsis. */
function replaceSuspects(text: string, separators: ReadonlySet<string>, replace: (part: string) => string): string {
  const isInPart = (at: number): boolean => at >= 0 && at < text.length && !separators.has(text.charAt(at));
  let out = '';
  let end = 0;
  for (const { index } of text.matchAll(SUSPECT)) {
    if (index < end || !isInPart(index)) continue;
    let start = index;
    while (isInPart(start - 1)) start -= 1;
    let stop = index + 1;
    while (isInPart(stop)) stop += 1;
    out += text.slice(end, start) + replace(text.slice(start, stop));
    end = stop;
  }
  return out + text.slice(end);
}

/** Removes a secret from a text that somebody else wrote, in any case, also where it was encoded, or cut with an ellipsis. */
export function blankSecret(text: string, secret: Secret): string {
  const value = secret.reveal();
  const spellings = knownSpellings(secret);
  if (!spellings) return text;
  const lower = text.toLowerCase();
  if (spellings.plain.some((each) => lower.includes(each))) return blankPatterns(text, value, spellings);
  // Most of a report has nothing that a pattern could match.
  return replaceSuspects(text, spellings.separators, (part) => blankPatterns(part, value, spellings));
}

/** The same for many secrets. */
export const blankSecrets = (text: string, secrets: Iterable<Secret>): string => [...secrets].reduce(blankSecret, text);

/** The parts of each secret that must not be repeated, in lower case. */
const PARTS = new WeakMap<Secret, ReadonlySet<string>>();

function knownParts(secret: Secret): ReadonlySet<string> {
  const known = PARTS.get(secret);
  if (known) return known;
  const value = secret.reveal();
  const parts = new Set<string>();
  for (let at = 0; at + FRAGMENT <= value.length; at += 1) parts.add(value.slice(at, at + FRAGMENT).toLowerCase());
  PARTS.set(secret, parts);
  return parts;
}

/** In lower case, with each character where it was: a few letters have another length there. */
function loweredInPlace(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Removes every part of a secret, in any case, from a text whose author may know it, such as a model that was asked to repeat it. */
export function blankFragments(text: string, secret: Secret): string {
  if (text.length < FRAGMENT) return text;
  const parts = knownParts(secret);
  const searched = loweredInPlace(text);
  let out = '';
  let end = 0;
  for (let at = 0; at + FRAGMENT <= text.length; at += 1) {
    if (!parts.has(searched.slice(at, at + FRAGMENT))) continue;
    if (at > end || end === 0) out += text.slice(end, at) + SECRET_MASK;
    end = at + FRAGMENT;
  }
  return out + text.slice(end);
}

/** Removes secrets, and every part of them: from a text whose author got them, or may have. */
export const blankTraces = (text: string, secrets: Iterable<Secret>): string =>
  [...secrets].reduce((rest, secret) => blankFragments(blankSecret(rest, secret), secret), text);

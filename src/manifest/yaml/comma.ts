import { isScalar, type Pair } from 'yaml';
import { KEY_FIELDS } from '../../domain/index.ts';
import { quoted, type SourceDiagnostic } from '../../source/index.ts';
import { adviseSplitNumber } from '../schema/advice/budget.ts';
import { didYouMean, inBrackets } from '../schema/advice/form.ts';

/** A value within braces that a comma ends: `{ usd: 1,000 }` is a map of `usd` and of `000`. */
export interface SplitValue {
  readonly first: Pair;
  /** The names without a value that follow it. */
  readonly rest: readonly Pair[];
  readonly range: readonly [number, number];
  readonly words: Pick<SourceDiagnostic, 'code' | 'message' | 'found' | 'expected' | 'hint'>;
}

const LISTS: readonly string[] = [
  'checks',
  'scope',
  'protect',
  ...Object.entries(KEY_FIELDS).flatMap(([name, { kind }]) => (kind.endsWith('Set') ? [name] : [])),
];

const plainText = (node: unknown): string | undefined =>
  isScalar(node) && node.type === 'PLAIN' ? (node.source ?? '') : undefined;

const isNumber = (text: string): boolean => /^[$€£]?\d[\d.]*$/u.test(text);

/** Could this name, which has no value, be the rest of the value before it? */
function isRest({ key, value }: Pair, field: string, text: string): boolean {
  const name = value === null ? plainText(key) : undefined;
  if (name === undefined || Object.hasOwn(KEY_FIELDS, name)) return false;
  return isNumber(text) ? /^\d+$/u.test(name) : LISTS.includes(field);
}

function wordsOf(field: string, texts: readonly string[]): SplitValue['words'] {
  const isAmount = texts.every(isNumber);
  const found = texts.join(isAmount ? ',' : ', ');
  return {
    code: isAmount ? 'manifest.invalid-amount' : 'manifest.invalid-value',
    message: `Invalid value for \`${field}\`: within braces, a comma begins the next field.`,
    found: quoted(found),
    expected: isAmount ? 'a number without commas' : 'a list in brackets',
    hint: isAmount ? adviseSplitNumber(field, found) : didYouMean(`${field}: ${inBrackets(texts)}`),
  };
}

/** Finds the values that commas end, in the pairs of a map in braces. */
export function splitValues(pairs: readonly Pair[]): readonly SplitValue[] {
  return pairs.flatMap((first, i): readonly SplitValue[] => {
    const [field, text] = [plainText(first.key), plainText(first.value)];
    if (field === undefined || text === undefined || text === '') return [];
    const end = pairs.findIndex((pair, at) => at > i && !isRest(pair, field, text));
    const rest = pairs.slice(i + 1, end < 0 ? undefined : end);
    if (rest.length === 0) return [];
    const nodes = [first.value, ...rest.map(({ key }) => key)].filter((node) => isScalar(node));
    const [start, stop] = [nodes[0]?.range?.[0] ?? 0, nodes.at(-1)?.range?.[1] ?? 0];
    const texts = [text, ...rest.map(({ key }) => plainText(key) ?? '')];
    return [{ first, rest, range: [start, stop], words: wordsOf(field, texts) }];
  });
}

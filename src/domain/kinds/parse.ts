import { looksLikeCredential } from '../credential.ts';
import { type Diagnostic, type DiagnosticPath, errorAt } from '../diagnostic.ts';
import type { FieldRow } from '../key/fields.ts';
import { type BudgetInput, budgetOfInput, budgetProblems, hasUnknown } from './budget-input.ts';
import { tryParseInstant } from './instant.ts';
import { canonicalIpRules, type IpRule, type IpRuleResult, parseIpRule } from './ip-rule.ts';
import { canonicalJson, type Json, type JsonLoss, lossOfJson, parseShallowJson } from './json.ts';
import type { DeclaredKind, DeclaredValues } from './kind.ts';

/** The form in which a border hands a value over. A border turns the word for “no restriction” into null first. */
export interface DeclaredInputs {
  readonly flag: boolean;
  readonly text: string;
  readonly textSet: readonly string[];
  readonly ipSet: readonly string[];
  /** RFC 3339. */
  readonly instant: string;
  readonly budget: BudgetInput;
  /** JSON text. */
  readonly json: string;
}

/** The value in normal form, unless a diagnostic is an error or a part is unknown; warnings may come with a value. */
export interface Parsed<V> {
  readonly value?: V;
  readonly diagnostics: readonly Diagnostic[];
}

type Rules = Pick<FieldRow, 'pattern' | 'noun' | 'accepts' | 'whenEmpty' | 'unrestricted'>;

const failed = (...diagnostics: readonly Diagnostic[]): Parsed<never> => ({ diagnostics });

const pasted = (path: DiagnosticPath, noun = 'value'): Diagnostic =>
  errorAt(path, 'manifest.secret-in-manifest', {
    message: `The ${noun} looks like a credential.`,
    found: '‹secret›',
    expected: 'a value that may be shown',
    hint: 'Settings are shown everywhere. If this is a credential, revoke it.',
  });

function textProblem(
  text: string,
  path: DiagnosticPath,
  { pattern, noun = 'value', accepts }: Rules,
): Diagnostic | undefined {
  if (looksLikeCredential(text)) return pasted(path, noun);
  if (!pattern || pattern.test(text)) return undefined;
  return errorAt(path, 'manifest.invalid-value', {
    message: `Invalid ${noun}.`,
    found: JSON.stringify(text),
    ...(accepts === undefined ? {} : { expected: accepts }),
  });
}

function addressProblem(
  text: string,
  parsed: IpRuleResult | undefined,
  path: DiagnosticPath,
  { noun = 'address', accepts = '' }: Rules,
): Diagnostic | undefined {
  if (looksLikeCredential(text)) return pasted(path, noun);
  if (!parsed || parsed.ok) return undefined;
  return errorAt(path, 'manifest.invalid-ip-rule', {
    message: `Invalid ${noun}: ${parsed.problem}.`,
    found: JSON.stringify(text),
    expected: accepts,
    ...(parsed.corrected === undefined
      ? {}
      : { data: { corrected: parsed.corrected }, hint: `Did you mean \`${parsed.corrected}\`?` }),
  });
}

/** Warnings for items that occur before. `data.first` is the index of the first occurrence. */
function repetitions(items: readonly string[]): readonly Diagnostic[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index): readonly Diagnostic[] => {
    const before = first.get(item);
    if (before === undefined) first.set(item, index);
    return before === undefined
      ? []
      : [
          {
            severity: 'warning',
            code: 'manifest.duplicate-entry',
            message: 'The list contains an entry twice.',
            path: [index],
            data: { first: before },
            found: JSON.stringify(item),
            expected: 'each entry once',
          },
        ];
  });
}

/** The rules that all sets share: not empty, no word for “no restriction” among the items, each item valid. */
function judgeItems(
  items: readonly string[],
  rules: Rules,
  problemOf: (item: string, index: number) => Diagnostic | undefined,
): readonly Diagnostic[] {
  const { unrestricted, whenEmpty } = rules;
  if (items.length === 0) {
    return [
      errorAt([], 'manifest.empty-allowlist', {
        message: `The list is empty${whenEmpty === undefined ? '' : `: ${whenEmpty}`}.`,
        expected: 'at least one entry',
      }),
    ];
  }
  const word = unrestricted === undefined ? -1 : items.indexOf(unrestricted);
  if (word >= 0) {
    return [
      errorAt([word], 'manifest.invalid-value', {
        message: `The list contains \`${unrestricted}\`, which lifts the restriction and cannot be an entry.`,
        found: JSON.stringify(unrestricted),
        expected: `either \`${unrestricted}\` or a list`,
        data: { unrestricted },
      }),
    ];
  }
  return items.flatMap((item, index) => problemOf(item, index) ?? []);
}

function parseTextSet(items: readonly string[], rules: Rules): Parsed<readonly string[]> {
  const problems = judgeItems(items, rules, (item, index) => textProblem(item, [index], rules));
  if (problems.length > 0) return failed(...problems);
  return { value: [...new Set(items)].sort(), diagnostics: repetitions(items) };
}

function parseIpSet(items: readonly string[], rules: Rules): Parsed<readonly IpRule[]> {
  const parsed = items.map(parseIpRule);
  const problems = judgeItems(items, rules, (item, index) => addressProblem(item, parsed[index], [index], rules));
  if (problems.length > 0) return failed(...problems);
  const canonical = parsed.flatMap((result) => (result.ok ? [result.rule] : []));
  return { value: canonicalIpRules(canonical), diagnostics: repetitions(canonical) };
}

function parseInstant(text: string, { noun = 'time', accepts, unrestricted }: Rules): Parsed<number> {
  if (looksLikeCredential(text)) return failed(pasted([], noun));
  const at = tryParseInstant(text);
  if (at !== undefined) return { value: at, diagnostics: [] };
  const or = unrestricted === undefined ? '' : `, or \`${unrestricted}\``;
  return failed(
    errorAt([], 'manifest.invalid-value', {
      message: `Invalid ${noun}.`,
      found: JSON.stringify(text),
      expected: `${accepts}${or}`,
    }),
  );
}

const LOSSES: Readonly<Record<JsonLoss['kind'], (text: string) => Omit<Diagnostic, 'severity' | 'code' | 'path'>>> = {
  number: (text) => ({
    message: `JSON cannot hold the number ${text} exactly.`,
    found: text,
    expected: 'a number of at most 15 digits',
    hint: 'Quote it if the gateway accepts a string.',
  }),
  member: (text) => ({
    message: `${JSON.stringify(text)} occurs twice in one object.`,
    found: JSON.stringify(text),
    expected: 'each member once',
  }),
};

function parseJson(text: string): Parsed<string> {
  if (text === '') return { value: '', diagnostics: [] };
  const expected = 'JSON other than null';
  let value: Json;
  try {
    value = parseShallowJson(text);
  } catch {
    // The parser's own message quotes a part of the text.
    return failed(errorAt([], 'manifest.invalid-value', { message: 'The value is not valid JSON.', expected }));
  }
  if (value === null) {
    return failed(
      errorAt([], 'manifest.invalid-value', { message: 'The value must not be null.', found: 'null', expected }),
    );
  }
  const loss = lossOfJson(text);
  if (loss) return failed(errorAt([], 'manifest.invalid-value', LOSSES[loss.kind](loss.text)));
  return { value: canonicalJson(value), diagnostics: [] };
}

function parseBudget(input: BudgetInput): Parsed<DeclaredValues['budget']> {
  const problems = budgetProblems(input);
  if (problems.length > 0) return failed(...problems);
  return hasUnknown(input) ? { diagnostics: [] } : { value: budgetOfInput(input), diagnostics: [] };
}

const PARSERS: {
  readonly [K in DeclaredKind]: (input: DeclaredInputs[K], rules: Rules) => Parsed<DeclaredValues[K]>;
} = {
  flag: (value) => ({ value, diagnostics: [] }),
  text: (text, rules) => {
    const problem = textProblem(text, [], rules);
    return problem ? failed(problem) : { value: text, diagnostics: [] };
  },
  textSet: parseTextSet,
  ipSet: parseIpSet,
  instant: parseInstant,
  budget: parseBudget,
  json: parseJson,
};

/**
 * Parses one value of a field into normal form: the only judgement of a value, whichever language it comes from.
 *
 * @param row the field's row in {@link KEY_FIELDS}
 * @param input null: the word that lifts a restriction, where the row has one
 */
export function parseValue<K extends DeclaredKind>(
  row: Rules & { readonly kind: K },
  input: DeclaredInputs[K] | null,
): Parsed<DeclaredValues[K]> {
  if (input !== null) return PARSERS[row.kind](input, row);
  if (row.unrestricted !== undefined) return { value: null as DeclaredValues[K], diagnostics: [] };
  return failed(errorAt([], 'manifest.invalid-value', { message: 'The value must not be null.', found: 'null' }));
}

import {
  addressProblem,
  budgetProblems,
  expiryProblem,
  type FieldProblem,
  groupProblem,
  modelProblem,
  namingProblem,
  renderInstant,
  tryParseInstant,
  type UnixSeconds,
} from '../../src/domain/index.ts';
import { budgetWords } from './budget-words.ts';
import type { KeyFields } from './key-fields.ts';
import { expiryText } from './notation.ts';
import { holdsNumberToken, isUnresolved, unescaped } from './unresolved.ts';

/** What is wrong with a key as it was written, field by field; what Terraform fills in is judged by the provider. */
export interface KeyJudgement {
  readonly errors: readonly string[];
  /** The key has ended: an error or a warning, as the app wants it. */
  readonly past?: string;
}

const told = (field: string, { summary, detail }: FieldProblem): string =>
  `\`${field}\`: ${summary}.${detail === undefined ? '' : ` ${detail}`}`;

const telling =
  (field: string) =>
  (problem: FieldProblem | undefined): readonly string[] =>
    problem === undefined ? [] : [told(field, problem)];

const NUMBER_TOKEN: FieldProblem = {
  summary: 'A number that only Terraform knows was written into a text',
  detail: 'Wrap it: Token.asString(value).',
};

function text(field: string, value: unknown, problemOf: (text: string) => FieldProblem | undefined): readonly string[] {
  if (typeof value !== 'string') return telling(field)({ summary: `A text is wanted, not ${kindOf(value)}` });
  if (holdsNumberToken(value)) return telling(field)(NUMBER_TOKEN);
  return isUnresolved(value) ? [] : telling(field)(problemOf(unescaped(value)));
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value);

/** The name is the identity of a key among all that the app declares: it is known, or nothing about it is. */
function nameProblems(name: unknown): readonly string[] {
  if (typeof name === 'string' && !holdsNumberToken(name) && isUnresolved(name)) {
    return telling('name')({
      summary: 'It is not resolved yet',
      detail: 'Names are unique, and that can be told only of names that are known when the app is synthesized.',
    });
  }
  return text('name', name, namingProblem);
}

interface ListRule {
  /** The word that stands for no restriction. */
  readonly word: string;
  readonly empty: string;
  problemOf(item: string): FieldProblem | undefined;
}

const MODELS: ListRule = {
  word: 'any',
  empty: 'A key without any model refuses everything',
  problemOf: modelProblem,
};

const ADDRESSES: ListRule = { word: 'anywhere', empty: 'A key without any address', problemOf: addressProblem };

function listProblems(field: string, value: unknown, rule: ListRule): readonly string[] {
  if (value === undefined || value === rule.word || isUnresolved(value)) return [];
  const hint = `write \`'${rule.word}'\` for no restriction`;
  if (!Array.isArray(value))
    return telling(field)({ summary: `A list is wanted, not ${kindOf(value)}`, detail: `Or ${hint}.` });
  if (value.length === 0) return telling(field)({ summary: 'The list is empty', detail: `${rule.empty}: ${hint}.` });
  if (value.includes(rule.word)) {
    return telling(field)({
      summary: `${JSON.stringify(rule.word)} is no entry of the list`,
      detail: `Instead of the list ${hint}.`,
    });
  }
  return value.flatMap((item) => text(field, item, rule.problemOf));
}

function expiryProblems(expires: unknown): readonly string[] {
  if (expires === undefined) return [];
  if (!(expires instanceof Date)) return text('expires', expires, expiryProblem);
  if (Number.isNaN(expires.getTime())) return telling('expires')({ summary: 'It is no valid Date' });
  if (expires.getMilliseconds() !== 0) {
    return telling('expires')({
      summary: 'It has a fraction of a second',
      detail: 'Keys end at whole seconds. An expiry that is reckoned from the present is another one each time.',
    });
  }
  return telling('expires')(expiryProblem(expiryText(expires)));
}

function pastExpiry(expires: KeyFields['expires'], now: UnixSeconds): string | undefined {
  if (expires === undefined || isUnresolved(expires)) return undefined;
  const at = tryParseInstant(expiryText(expires));
  return at !== undefined && at <= now
    ? told('expires', {
        summary: `${renderInstant(at)} is past`,
        detail: 'Nobody can use such a key: move the time, or remove the key.',
      })
    : undefined;
}

function budgetErrors(budget: unknown): readonly string[] {
  if (budget === undefined || isUnresolved(budget)) return [];
  if (budget !== 'unlimited' && (typeof budget !== 'object' || budget === null)) {
    return telling('budget')({
      summary: `An amount is wanted, not ${kindOf(budget)}`,
      detail: "Or write `'unlimited'`.",
    });
  }
  return budgetProblems(budgetWords(budget as NonNullable<KeyFields['budget']>)).flatMap(telling('budget'));
}

const flag = (field: string, value: unknown): readonly string[] =>
  value === undefined || typeof value === 'boolean' || isUnresolved(value)
    ? []
    : telling(field)({ summary: `true or false is wanted, not ${kindOf(value)}` });

const tiersProblems = (routing: KeyFields['smartRouting']): readonly string[] =>
  routing === undefined || (routing.tiers ?? null) !== null
    ? []
    : telling('smartRouting')({
        summary: 'Tiers are something',
        detail: 'null can not be stored; write nothing instead.',
      });

/**
 * Holds a key against the rules of the manifest.
 *
 * @param now Unix seconds; an expiry is judged by it.
 */
export function judgeKey(key: KeyFields & { readonly name: string }, now: UnixSeconds): KeyJudgement {
  const expiry = expiryProblems(key.expires);
  const past = expiry.length === 0 ? pastExpiry(key.expires, now) : undefined;
  return {
    errors: [
      ...nameProblems(key.name),
      ...flag('enabled', key.enabled),
      ...(key.group === undefined ? [] : text('group', key.group, groupProblem)),
      ...flag('crossGroupRetry', key.crossGroupRetry),
      ...listProblems('models', key.models, MODELS),
      ...listProblems('allowIps', key.allowIps, ADDRESSES),
      ...expiry,
      ...budgetErrors(key.budget),
      ...tiersProblems(key.smartRouting),
    ],
    ...(past === undefined ? {} : { past }),
  };
}

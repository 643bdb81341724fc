import {
  addressProblem,
  budgetProblems,
  expiryProblem,
  type FieldProblem,
  groupProblem,
  KEY_FIELDS,
  looksLikeCredential,
  modelProblem,
  namingProblem,
  renderInstant,
  tryParseInstant,
  type UnixSeconds,
} from '../../../src/domain/index.ts';
import { isDate, isRecord, jsonProblem, kindOf, unknownFields } from '../values/shape.ts';
import { holdsNumberToken, isUnresolved, unescaped } from '../values/unresolved.ts';
import { budgetShape, budgetWords } from './budget-words.ts';
import type { KeyFields } from './key-fields.ts';
import { expiryText } from './notation.ts';

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

const ADDRESSES: ListRule = {
  word: 'anywhere',
  empty: 'A list of addresses holds one',
  problemOf: addressProblem,
};

function listProblems(field: string, value: unknown, rule: ListRule): readonly string[] {
  if (value === undefined || value === rule.word || isUnresolved(value)) return [];
  const hint = `write \`'${rule.word}'\` for no restriction`;
  const tell = telling(field);
  if (!Array.isArray(value)) return tell({ summary: `A list is wanted, not ${kindOf(value)}`, detail: `Or ${hint}.` });
  if (value.length === 0) return tell({ summary: 'The list is empty', detail: `${rule.empty}: ${hint}.` });
  if (value.includes(rule.word)) {
    return tell({
      summary: `${JSON.stringify(rule.word)} is no entry of the list`,
      detail: `Instead of the list ${hint}.`,
    });
  }
  // A hole is an item that is undefined.
  return [...value].flatMap((item) => text(field, item, rule.problemOf));
}

function expiryProblems(expires: unknown): readonly string[] {
  if (expires === undefined) return [];
  if (!isDate(expires)) return text('expires', expires, expiryProblem);
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
  if (at === undefined || at > now) return undefined;
  return told('expires', {
    summary: `${renderInstant(at)} is past`,
    detail: 'Nobody can use such a key: move the time, or remove the key.',
  });
}

function budgetErrors(budget: unknown): readonly string[] {
  const shape = budgetShape(budget).map((problem) => `\`budget\`: ${problem}`);
  if (shape.length > 0 || budget === undefined || isUnresolved(budget)) return shape;
  return budgetProblems(budgetWords(budget)).flatMap(telling('budget'));
}

export const flagProblems = (field: string, value: unknown): readonly string[] =>
  value === undefined || typeof value === 'boolean' || isUnresolved(value)
    ? []
    : telling(field)({ summary: `true or false is wanted, not ${kindOf(value)}` });

function routingProblems(routing: unknown): readonly string[] {
  if (routing === undefined) return [];
  const tell = telling('smartRouting');
  if (!isRecord(routing)) return tell({ summary: `An object with \`tiers\` is wanted, not ${kindOf(routing)}` });
  const unknown = unknownFields(routing, ['tiers']).map((problem) => `\`smartRouting\`: ${problem}`);
  const { tiers } = routing;
  if (tiers === undefined || tiers === null) {
    return [...unknown, ...tell({ summary: 'It has no `tiers`', detail: 'Write nothing where nothing is stored.' })];
  }
  const problem = jsonProblem(tiers, isUnresolved);
  return problem === undefined ? unknown : [...unknown, ...tell({ summary: `The tiers are no JSON: ${problem}` })];
}

/** Texts that nobody meant to publish, wherever they stand in what is written. */
export function pastedCredentials(field: string, value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return looksLikeCredential(value)
      ? telling(field)({
          summary: 'It holds what looks like an API key',
          detail: 'The configuration is no place for it. If it is one, revoke it.',
        })
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const [first] = Object.entries(value).flatMap(([name, part]) => [
    ...pastedCredentials(field, name),
    ...pastedCredentials(field, part),
  ]);
  return first === undefined ? [] : [first];
}

const FIELDS = ['name', ...Object.keys(KEY_FIELDS)];

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
      ...unknownFields(key, FIELDS),
      ...nameProblems(key.name),
      ...flagProblems('enabled', key.enabled),
      ...(key.group === undefined ? [] : text('group', key.group, groupProblem)),
      ...flagProblems('crossGroupRetry', key.crossGroupRetry),
      ...listProblems('models', key.models, MODELS),
      ...listProblems('allowIps', key.allowIps, ADDRESSES),
      ...expiry,
      ...budgetErrors(key.budget),
      ...routingProblems(key.smartRouting),
    ],
    ...(past === undefined ? {} : { past }),
  };
}

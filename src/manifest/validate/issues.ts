import * as z from 'zod';
import { type BudgetInput, budgetProblems, type Diagnostic, type DiagnosticCode } from '../../domain/index.ts';
import { type Report, reportUnknown } from '../../source/index.ts';
import { adviseBudgetField, adviseField } from '../schema/advice/field.ts';
import { FIELD_MESSAGES, type FieldMessage, tryFindMessage } from '../schema/field-messages.ts';
import {
  describeNode,
  type Entry,
  exactData,
  hasReferences,
  type MapNode,
  tryFindEntry,
  tryFindNode,
  type YamlNode,
} from '../yaml/node.ts';

type Issue = z.core.$ZodIssue;

/** A value that its schema rejects. */
interface Rejected {
  readonly schema: z.core.$ZodType;
  readonly node: YamlNode;
  /** The name of the field in diagnostics. */
  readonly field: string;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

/** Returns the fields that a map of this schema may have; for a union, those of all its forms. */
function fieldsOf(schema: z.core.$ZodType): readonly string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodUnion) return [...new Set(inner.options.flatMap(fieldsOf))];
  return [];
}

function stepInto(schema: z.core.$ZodType, step: PropertyKey): z.core.$ZodType | undefined {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) return (inner.shape as Record<PropertyKey, z.core.$ZodType>)[step];
  if (inner instanceof z.ZodArray) return inner.element;
  if (inner instanceof z.ZodUnion) {
    return inner.options.map((option) => stepInto(option, step)).find((option) => option !== undefined);
  }
  return undefined;
}

const schemaAt = (schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined =>
  path.reduce<z.core.$ZodType | undefined>((at, step) => at && stepInto(at, step), schema);

const KINDS = { string: 'a string', number: 'a number', int: 'a whole number', object: 'a map', array: 'a list' };

function wordsOf(issue: Issue): FieldMessage {
  const known = tryFindMessage(issue.message);
  if (known) return known;
  const kind = 'expected' in issue ? KINDS[issue.expected as keyof typeof KINDS] : undefined;
  return kind ? { ...FIELD_MESSAGES.map, expected: kind } : FIELD_MESSAGES.text;
}

const WRONG_KIND: readonly string[] = ['invalid_type', 'invalid_union'];

function codeOf(issue: Issue, node: YamlNode, { code }: FieldMessage): DiagnosticCode {
  if (node.kind === 'scalar' && node.value === null) return 'manifest.wrong-type';
  if (code) return code;
  const isText = node.kind === 'scalar' && typeof node.value === 'string';
  return WRONG_KIND.includes(issue.code) && !isText ? 'manifest.wrong-type' : 'manifest.invalid-value';
}

/** Returns a hint made from the value itself if the value may be shown. */
export function hintFor(node: YamlNode, { advise, adviseParts, hint }: FieldMessage): string {
  if (hasReferences(node) || node.broken) return hint;
  if (node.kind !== 'scalar') return adviseParts?.(exactData(node)) ?? hint;
  const isText = typeof node.value === 'string';
  return advise?.(isText ? String(node.value) : node.source, isText) ?? hint;
}

/** Reports one invalid value. */
function reportValue(issue: Issue, { report, rejected }: Explaining): void {
  const node = tryFindNode(rejected.node, issue.path) ?? rejected.node;
  const words = wordsOf(issue);
  const empty = node.kind === 'scalar' && node.value === null;
  const name = [rejected.field, ...issue.path.map(String)].join('.');
  report.problem({
    code: codeOf(issue, node, words),
    at: node.place,
    message: empty ? `\`${name}\` is empty.` : `Invalid value for \`${name}\`.`,
    found: describeNode(node),
    expected: words.expected,
    hint: empty ? (words.whenEmpty ?? `Give it a value, or remove the field. ${words.hint}`) : hintFor(node, words),
  });
}

function reportMissing(issue: Issue, { report, rejected }: Explaining): void {
  const parent = tryFindNode(rejected.node, issue.path.slice(0, -1)) ?? rejected.node;
  const name = String(issue.path.at(-1));
  const words = wordsOf(issue);
  report.problem({
    code: 'manifest.missing-field',
    at: parent.place,
    message: `The field \`${name}\` is missing.`,
    found: describeNode(parent),
    expected: `\`${name}\`: ${words.expected}`,
    hint: `Add \`${name}\`. ${words.hint}`,
  });
}

interface Explaining {
  readonly report: Report;
  readonly rejected: Rejected;
}

/** Reports a field that no form of a value has, with a hint if what was meant can be guessed. */
function reportForeignField(entry: Entry, known: readonly string[], { report, rejected }: Explaining): void {
  const value = hasReferences(entry.node) || entry.node.broken ? undefined : exactData(entry.node);
  const hint = rejected.field === 'budget' ? adviseBudgetField(entry.name, value) : adviseField(entry.name, value);
  reportUnknown(report, entry, { known, ...(hint ? { hint } : {}) });
}

/** Reports fields of a map that none of its forms has. @returns whether there was one. */
function reportForeign(map: MapNode, known: readonly string[], explaining: Explaining): boolean {
  const foreign = map.entries.filter((entry) => !known.includes(entry.name));
  for (const entry of foreign) reportForeignField(entry, known, explaining);
  return foreign.length > 0;
}

function reportForms(issue: Issue, map: YamlNode, { report, rejected }: Explaining): void {
  const words = tryFindMessage(issue.message) ?? FIELD_MESSAGES[formsOf(rejected.field)];
  report.problem({
    code: 'manifest.invalid-value',
    at: map.place,
    message: `The fields of \`${rejected.field}\` exclude one another.`,
    found: describeNode(map),
    expected: words.expected,
    hint: words.hint,
  });
}

/** Each part of a budget with a value that is valid with any other, so that only their combination is judged. */
const VALID_PARTS: Readonly<Record<string, BudgetInput>> = {
  usd: { usd: '1' },
  quota: { quota: '1' },
  per: { per: 'day' },
  below: { below: { quota: '0' } },
  initial: { initial: true },
};

const combinationProblems = (names: readonly string[]): readonly Diagnostic[] =>
  budgetProblems(Object.assign({}, ...names.map((name) => VALID_PARTS[name])));

/** Reports parts of a budget that exclude one another, or that lack an amount, in the words of its kind. */
function reportCombination(node: YamlNode, { report, rejected }: Explaining): boolean {
  if (rejected.field !== 'budget' || node !== rejected.node || node.kind !== 'map' || node.entries.length === 0) {
    return false;
  }
  const [problem] = combinationProblems(node.entries.map(({ name }) => name));
  if (!problem) return false;
  const { path = [], message, expected = '' } = problem;
  report.problem({
    code: 'manifest.invalid-value',
    at: tryFindEntry(node, String(path[0]))?.at ?? node.place,
    message,
    found: describeNode(node),
    expected,
    hint: problem.hint ?? 'Write the amount first: `budget: { usd: 25, per: month }`.',
  });
  return true;
}

/** The words of the whole union, which zod loses when it reports only the form that comes nearest. */
const formsOf = (field: string): 'budget' | 'sink' | 'map' =>
  field.startsWith('budget') ? 'budget' : field.startsWith('deliver') ? 'sink' : 'map';

/** Measures how far a form is from the node; 0: only values within it are invalid. */
function misfit(issues: readonly Issue[], node: YamlNode): number {
  const isOfAnother = ({ code }: Issue): boolean => code === 'unrecognized_keys' || code === 'invalid_value';
  return issues.filter((issue) => isOfAnother(issue) || isMissing(issue, node)).length;
}

/** Does the node have the fields of a form, so that only something within one of them is wrong? */
const isWithinFields = (issues: readonly Issue[]): boolean =>
  issues.every(({ code, path }) => path.length > (code === 'unrecognized_keys' ? 0 : 1));

const isMissing = (issue: Issue, node: YamlNode): boolean =>
  issue.path.length > 0 && tryFindNode(node, issue.path) === undefined;

const isOtherKind = (issues: readonly Issue[]): boolean =>
  issues.some((issue) => issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value'));

function explainUnion(issue: Issue & { code: 'invalid_union' }, explaining: Explaining): void {
  const { rejected } = explaining;
  const node = tryFindNode(rejected.node, issue.path);
  if (!node) {
    reportMissing(issue, explaining);
    return;
  }
  const schema = schemaAt(rejected.schema, issue.path);
  const known = schema ? fieldsOf(schema) : [];
  if (node.kind === 'map' && known.length > 0 && reportForeign(node, known, explaining)) return;
  const forms = issue.errors.filter((errors) => !isOtherKind(errors));
  const nearest = [(errors: readonly Issue[]) => misfit(errors, node) === 0, isWithinFields, () => true];
  const best = nearest.map((fits) => forms.filter(fits)).find((fitting) => fitting.length === 1)?.[0];
  if (!best && !reportCombination(node, explaining)) reportValue(issue, explaining);
  for (const inner of best ?? []) explain({ ...inner, path: [...issue.path, ...inner.path] }, explaining);
}

/**
 * Reports the fields that belong to another form of a union and are invalid there: then the value is wrong, not the
 * combination. @returns whether there was one.
 */
function reportParts(issue: Issue & { code: 'unrecognized_keys' }, map: YamlNode, explaining: Explaining): boolean {
  const schema = schemaAt(explaining.rejected.schema, issue.path);
  const found = issue.keys.flatMap((name) => {
    const field = schema && stepInto(schema, name);
    const value = tryFindEntry(map, name)?.node;
    const parsed = field && value && z.safeParse(field, exactData(value));
    const issues = parsed && !parsed.success ? parsed.error.issues : [];
    return issues.map((inner) => ({ ...inner, path: [...issue.path, name, ...inner.path] }));
  });
  for (const inner of found) explain(inner, explaining);
  return found.length > 0;
}

function explainUnrecognized(issue: Issue & { code: 'unrecognized_keys' }, explaining: Explaining): void {
  const { rejected } = explaining;
  const node = tryFindNode(rejected.node, issue.path) ?? rejected.node;
  const schema = schemaAt(rejected.schema, issue.path);
  const known = schema ? fieldsOf(schema) : [];
  if (issue.keys.every((name) => known.includes(name))) {
    if (!reportParts(issue, node, explaining)) reportForms(issue, node, explaining);
  }
  for (const name of issue.keys.filter((key) => !known.includes(key))) {
    const entry = tryFindEntry(node, name) ?? { name, at: node.place, node };
    reportForeignField(entry, known, explaining);
  }
}

function explain(issue: Issue, explaining: Explaining): void {
  if (issue.code === 'invalid_union') explainUnion(issue, explaining);
  else if (issue.code === 'unrecognized_keys') explainUnrecognized(issue, explaining);
  else if (isMissing(issue, explaining.rejected.node)) reportMissing(issue, explaining);
  else reportValue(issue, explaining);
}

/** Reports the issues that a schema finds in a value, each at its place. */
export function reportIssues(issues: readonly Issue[], rejected: Rejected, report: Report): void {
  for (const issue of issues) explain(issue, { report, rejected });
}

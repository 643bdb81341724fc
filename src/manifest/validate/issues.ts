import { z } from 'zod';
import type { DiagnosticCode, Place } from '../../domain/index.ts';
import { type Report, reportUnknown } from '../../source/index.ts';
import { EXPECTATIONS, type Expectation, tryFindExpectation } from '../schema/field-messages.ts';
import { type Fields, found, type Tree, tryFindEntry, tryFindNode } from '../yaml/tree.ts';

type Issue = z.core.$ZodIssue;

/** A value that its schema refused: the tree that it came from, and what to call it. */
export interface Refused {
  readonly schema: z.core.$ZodType;
  readonly node: Tree;
  /** The field's name, as diagnostics call it. */
  readonly field: string;
  /** Where to point when the node itself can not be seen. */
  readonly at: Place;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

/** The fields that a map of this schema may have: of a union, those of all its forms. */
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

const KINDS = { string: 'a text', number: 'a number', int: 'a whole number', object: 'a map', array: 'a list' };

function expectationOf(issue: Issue): Expectation {
  const known = tryFindExpectation(issue.message);
  if (known) return known;
  const kind = 'expected' in issue ? KINDS[issue.expected as keyof typeof KINDS] : undefined;
  return kind ? { ...EXPECTATIONS.map, expected: kind } : EXPECTATIONS.text;
}

const WRONG_KIND: readonly string[] = ['invalid_type', 'invalid_union'];

function codeOf(issue: Issue, node: Tree, { code }: Expectation): DiagnosticCode {
  if (node.kind === 'scalar' && node.value === null) return 'manifest.wrong-type';
  if (code) return code;
  const isText = node.kind === 'scalar' && typeof node.value === 'string';
  return WRONG_KIND.includes(issue.code) && !isText ? 'manifest.wrong-type' : 'manifest.invalid-value';
}

/** A hint made from the value itself, where that may be shown. */
function hintFor(node: Tree, { advise, hint }: Expectation): string {
  const mayShow = node.kind === 'scalar' && typeof node.value === 'string' && !node.opaque;
  return (mayShow && advise?.(node.value as string)) || hint;
}

/** Says of one node what was expected there. */
function reportValue(issue: Issue, { report, refused }: Explaining): void {
  const node = tryFindNode(refused.node, issue.path) ?? refused.node;
  const expectation = expectationOf(issue);
  const empty = node.kind === 'scalar' && node.value === null;
  const name = [refused.field, ...issue.path.map(String)].join('.');
  report.problem({
    code: codeOf(issue, node, expectation),
    at: node.place,
    message: empty ? `\`${name}\` is empty.` : `\`${name}\` does not take this.`,
    found: found(node),
    expected: expectation.expected,
    hint: empty ? `Remove the field, or give it a value. ${expectation.hint}` : hintFor(node, expectation),
  });
}

function reportMissing(issue: Issue, { report, refused }: Explaining): void {
  const parent = tryFindNode(refused.node, issue.path.slice(0, -1)) ?? refused.node;
  const name = String(issue.path.at(-1));
  const expectation = expectationOf(issue);
  report.problem({
    code: 'manifest.missing-field',
    at: parent.place,
    message: `The field \`${name}\` is missing.`,
    found: found(parent),
    expected: `\`${name}\`: ${expectation.expected}`,
    hint: expectation.hint,
  });
}

interface Explaining {
  readonly report: Report;
  readonly refused: Refused;
}

/** Fields of a map that none of its forms has. @returns whether there was one. */
function reportForeign(map: Fields, known: readonly string[], report: Report): boolean {
  const foreign = map.entries.filter((entry) => !known.includes(entry.name));
  for (const entry of foreign) reportUnknown(report, entry, { known });
  return foreign.length > 0;
}

function reportForms(issue: Issue, map: Tree, { report, refused }: Explaining): void {
  const expectation = tryFindExpectation(issue.message) ?? EXPECTATIONS[formsOf(refused.field)];
  report.problem({
    code: 'manifest.invalid-value',
    at: map.place,
    message: `The fields of \`${refused.field}\` do not go together.`,
    found: found(map),
    expected: expectation.expected,
    hint: expectation.hint,
  });
}

/** zod passes the one form on that came near, and with it loses the words of the union. */
const formsOf = (field: string): 'budget' | 'sink' | 'map' =>
  field.startsWith('budget') ? 'budget' : field.startsWith('deliver') ? 'sink' : 'map';

/** How far a form is from what stands there; 0: only values within it are wrong. */
function misfit(issues: readonly Issue[], node: Tree): number {
  const isOfAnother = ({ code }: Issue): boolean => code === 'unrecognized_keys' || code === 'invalid_value';
  return issues.filter((issue) => isOfAnother(issue) || isMissing(issue, node)).length;
}

const isMissing = (issue: Issue, node: Tree): boolean =>
  issue.path.length > 0 && tryFindNode(node, issue.path) === undefined;

const isOtherKind = (issues: readonly Issue[]): boolean =>
  issues.some((issue) => issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value'));

function explainUnion(issue: Issue & { code: 'invalid_union' }, explaining: Explaining): void {
  const { refused, report } = explaining;
  const node = tryFindNode(refused.node, issue.path);
  if (!node) {
    reportMissing(issue, explaining);
    return;
  }
  const schema = schemaAt(refused.schema, issue.path);
  const known = schema ? fieldsOf(schema) : [];
  if (node.kind === 'map' && known.length > 0 && reportForeign(node, known, report)) return;
  const forms = issue.errors.filter((errors) => !isOtherKind(errors));
  const fitting = forms.filter((errors) => misfit(errors, node) === 0);
  const best = fitting.length === 1 ? fitting[0] : forms.length === 1 ? forms[0] : undefined;
  if (!best) reportValue(issue, explaining);
  for (const inner of best ?? []) explain({ ...inner, path: [...issue.path, ...inner.path] }, explaining);
}

function explainUnrecognized(issue: Issue & { code: 'unrecognized_keys' }, explaining: Explaining): void {
  const { refused, report } = explaining;
  const node = tryFindNode(refused.node, issue.path) ?? refused.node;
  const schema = schemaAt(refused.schema, issue.path);
  const known = schema ? fieldsOf(schema) : [];
  if (issue.keys.every((name) => known.includes(name))) reportForms(issue, node, explaining);
  for (const name of issue.keys.filter((key) => !known.includes(key))) {
    reportUnknown(report, { name, at: tryFindEntry(node, name)?.at ?? node.place }, { known });
  }
}

function explain(issue: Issue, explaining: Explaining): void {
  if (issue.code === 'invalid_union') explainUnion(issue, explaining);
  else if (issue.code === 'unrecognized_keys') explainUnrecognized(issue, explaining);
  else if (isMissing(issue, explaining.refused.node)) reportMissing(issue, explaining);
  else reportValue(issue, explaining);
}

/** Turns what a schema says of a value into diagnostics, each at its place. */
export function reportIssues(issues: readonly Issue[], refused: Refused, report: Report): void {
  for (const issue of issues) explain(issue, { report, refused });
}

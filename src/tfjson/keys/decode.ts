import {
  type BudgetInput,
  budgetProblems,
  type DeclaredInputs,
  type DeclaredKind,
  type Diagnostic,
  type DiagnosticPath,
  type FieldRow,
  parseValue,
  refillProblems,
  type UnixSeconds,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { describe, type JsonNode, tryStep } from '../json/node.ts';
import { tryReadJson } from '../json/reader.ts';
import { placed, type Resolver, withoutSecret } from '../module/resolve.ts';
import { renderPath, reportType } from '../report.ts';
import { convert, convertBudget, convertTexts } from './convert.ts';

interface Decoding extends Pick<Resolver, 'report' | 'construct'> {
  readonly row: FieldRow;
}

/** The value that lifts a restriction, in Terraform's notation. */
const wordOf = ({ kind, unrestricted }: FieldRow): string | undefined =>
  unrestricted && (kind === 'instant' ? `\`"${unrestricted}"\`` : `\`["${unrestricted}"]\``);

const textOf = (node: JsonNode, { row, report }: Decoding): string | undefined =>
  convert(node, { attribute: row.terraform, type: 'text' }, report);

function textsOf(node: JsonNode, { row, report }: Decoding): readonly string[] | null | undefined {
  const word = wordOf(row);
  const expected = word === undefined ? {} : { expected: `a list of strings, or ${word}` };
  const texts = convertTexts(node, { attribute: row.terraform, ...expected }, report);
  return texts?.length === 1 && texts[0] === row.unrestricted ? null : texts;
}

/** Reads the JSON too: behind an escape of its own, a secret shows only there. */
function jsonOf(node: JsonNode, { row, report }: Decoding): string | undefined {
  if (node.kind !== 'string') {
    reportType(node, row.terraform, 'a string of JSON, which `jsonencode` writes', report);
    return undefined;
  }
  if (node.value === '') return '';
  const json = tryReadJson(node.value, node.place);
  if (json) return withoutSecret(json, node, report) && node.value;
  reportNotJson(node, { attribute: row.terraform, expected: 'a string of JSON' }, report);
  return undefined;
}

export function reportNotJson(
  node: JsonNode,
  { attribute, expected }: { readonly attribute: string; readonly expected: string },
  report: Report,
): void {
  report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: `\`${attribute}\` is not valid JSON.`,
    found: describe(node),
    expected,
    hint: '`jsonencode` writes it (in a CDK: `Fn.jsonencode`).',
  });
}

/** Requires what Terraform requires beyond the rules of a manifest. */
function budgetOf(node: JsonNode, decoding: Decoding): BudgetInput | undefined {
  const budget = convertBudget(node, decoding.row.terraform, decoding.report);
  const isValid = budget !== undefined && budgetProblems(budget).length === 0;
  for (const diagnostic of isValid ? refillProblems(budget) : []) reportValue(diagnostic, node, decoding);
  return budget;
}

type Decoder<K extends DeclaredKind> = (node: JsonNode, decoding: Decoding) => DeclaredInputs[K] | null | undefined;

/** Decodes an attribute of each kind. Null lifts a restriction; undefined: invalid, and reported. */
const DECODERS: { readonly [K in DeclaredKind]: Decoder<K> } = {
  flag: (node, { row, report }) => convert(node, { attribute: row.terraform, type: 'flag' }, report),
  text: textOf,
  textSet: textsOf,
  ipSet: textsOf,
  instant: (node, decoding) => {
    const text = textOf(node, decoding);
    return text === decoding.row.unrestricted ? null : text;
  },
  budget: budgetOf,
  json: jsonOf,
};

function nodeAt(node: JsonNode, path: DiagnosticPath): JsonNode {
  return path.reduce<JsonNode>((at, step) => tryStep(at, step) ?? at, node);
}

/** Places a diagnostic about a value at the part that it is about. */
function reportValue(diagnostic: Diagnostic, node: JsonNode, decoding: Decoding): void {
  const { row, report } = decoding;
  const { code, severity, path = [], data = {}, message, expected, hint } = diagnostic;
  const [at, word] = [nodeAt(node, path), wordOf(row)];
  const first = typeof data.first === 'number' ? nodeAt(node, [data.first]) : undefined;
  report.problem({
    code,
    ...(severity === 'warning' ? { severity } : {}),
    at: at.place,
    message: `\`${renderPath([row.terraform, ...path])}\`: ${message}`,
    found: code === 'manifest.secret-in-manifest' ? 'a value that is not shown' : describe(at),
    expected:
      data.unrestricted !== undefined && word ? `either ${word} or other entries` : (expected ?? 'another value'),
    hint: hint ?? (word ? `${word} lifts the restriction; an omitted attribute is not managed.` : row.doc),
    ...(first ? { related: [{ place: placed(first.place, decoding), message: 'first occurrence' }] } : {}),
  });
}

function reportPast(node: JsonNode, { row, report }: Decoding): void {
  report.problem({
    code: 'manifest.past-expiry',
    severity: 'warning',
    at: node.place,
    message: `\`${row.terraform}\` is in the past: the gateway rejects the key.`,
    found: describe(node),
    expected: 'a time in the future',
    hint: 'Set a later time, or disable the key with `enabled = false`.',
  });
}

/** Decodes a resolved attribute into normal form. Undefined when it is invalid, which is reported. */
export function decode(
  node: JsonNode,
  { row, now }: { readonly row: FieldRow; readonly now: UnixSeconds },
  resolver: Resolver,
): unknown {
  const decoding = { ...resolver, row };
  const input = DECODERS[row.kind](node, decoding);
  if (input === undefined) return undefined;
  const { value, diagnostics } = parseValue(row, input as never);
  for (const diagnostic of diagnostics) reportValue(diagnostic, node, decoding);
  if (row.kind === 'instant' && typeof value === 'number' && value <= now) reportPast(node, decoding);
  return value;
}

import {
  type DeclaredInputs,
  type DeclaredKind,
  type DeclaredValues,
  type Diagnostic,
  FIELD_ROWS,
  type FieldName,
  type FieldRow,
  type FieldTable,
  parseValue,
  type UnixSeconds,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { messageOfField } from '../schema/field-messages.ts';
import type { Forms } from '../schema/forms.ts';
import { describeNode, type MapNode, roundedDigits, tryFindNode, type YamlNode } from '../yaml/node.ts';
import { type MapReading, readFields, type Validated, type ValidatedFields } from './fields.ts';
import { hintFor } from './issues.ts';

/** The parsed fields of a key, with their places. A field that is omitted or invalid is absent. */
export type ParsedKeyFields<F extends Forms> = Omit<ValidatedFields<F>, FieldName> & {
  readonly [N in FieldName]?: Validated<DeclaredValues[FieldTable[N]['kind']]>;
};

export interface KeyReading extends MapReading {
  /** For the warning about past expiries. */
  readonly now: UnixSeconds;
}

interface ReadField {
  readonly field: FieldName;
  readonly row: FieldRow;
  readonly node: YamlNode;
  readonly report: Report;
}

/** Places a diagnostic of a kind, and completes it in the words of the manifest. */
function reportDiagnostic(diagnostic: Diagnostic, { field, node, report }: ReadField): void {
  const { code, severity, path = [], data = {}, message, expected, hint } = diagnostic;
  const at = tryFindNode(node, path) ?? node;
  const first = typeof data.first === 'number' ? tryFindNode(node, [data.first]) : undefined;
  const words = messageOfField(field, path);
  const ownHint = at.kind === 'scalar' && at.isReferenced ? undefined : hint;
  const withoutList =
    data.unrestricted === undefined ? undefined : `Write \`${field}: ${data.unrestricted}\` for no restriction.`;
  report.problem({
    code,
    severity,
    at: at.place,
    message: `\`${[field, ...path].join('.')}\`: ${message}`,
    found: describeNode(at),
    expected: expected ?? words.expected,
    hint: withoutList ?? ownHint ?? hintFor(at, words),
    ...(first ? { related: [{ place: first.place, message: 'first occurrence' }] } : {}),
  });
}

/** Reports the numbers that JSON cannot hold exactly: the gateway would store others. */
function reportRounded(node: YamlNode, report: Report): boolean {
  if (node.kind === 'map') return node.entries.map((entry) => reportRounded(entry.node, report)).some(Boolean);
  if (node.kind === 'list') return node.items.map((item) => reportRounded(item, report)).some(Boolean);
  if (roundedDigits(node) === undefined) return false;
  report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: 'JSON cannot hold this number exactly.',
    found: describeNode(node),
    expected: 'a number of at most 15 digits',
    hint: 'Quote it if the gateway accepts a string.',
  });
  return true;
}

function reportPast(at: unknown, { field, node, report }: ReadField, now: UnixSeconds): void {
  if (typeof at !== 'number' || at > now) return;
  report.problem({
    code: 'manifest.past-expiry',
    severity: 'warning',
    at: node.place,
    message: `\`${field}\` is in the past, so the gateway rejects the key.`,
    found: describeNode(node),
    expected: 'a time in the future, or `never`',
    hint: 'Change it, or declare `enabled: false` if the key should be disabled.',
  });
}

function tryParse(
  read: ReadField,
  input: DeclaredInputs[DeclaredKind] | null,
): DeclaredValues[DeclaredKind] | undefined {
  const { row, node, report } = read;
  if (row.kind === 'json' && reportRounded(node, report)) return undefined;
  const { value, diagnostics } = parseValue(row, input);
  for (const diagnostic of diagnostics) reportDiagnostic(diagnostic, read);
  return value;
}

/** Parses the fields of a key, or of `defaults`. */
export function readKeyFields<F extends Forms>(forms: F, map: MapNode, reading: KeyReading): ParsedKeyFields<F> {
  const { report, now } = reading;
  const fields: Record<string, Validated<unknown> | undefined> = { ...readFields(forms, map, reading) };
  for (const [field, row] of FIELD_ROWS) {
    const validated = fields[field];
    if (!validated) continue;
    const read: ReadField = { field, row, node: validated.node, report };
    const value = tryParse(read, validated.value as DeclaredInputs[typeof row.kind] | null);
    if (row.kind === 'instant') reportPast(value, read, now);
    if (value === undefined) delete fields[field];
    else fields[field] = { ...validated, value };
  }
  // The kind of each row has just parsed its value.
  return fields as ParsedKeyFields<F>;
}

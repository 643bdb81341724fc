import * as z from 'zod';
import type { Place } from '../../domain/index.ts';
import { holdsSecret, isSecretField, type Report, reportUnknown } from '../../source/index.ts';
import { adviseField, type FieldHints } from '../schema/advice/field.ts';
import { didYouMean } from '../schema/advice/form.ts';
import { tryFixField } from '../schema/advice/line.ts';
import { FIELD_MESSAGES, type FieldMessage } from '../schema/field-messages.ts';
import type { Forms } from '../schema/forms.ts';
import { describeNode, type Entry, exactData, hasReferences, type MapNode, type YamlNode } from '../yaml/node.ts';
import { reportIssues } from './issues.ts';
import { type Belongs, reportInColumn, reportLooseBudget } from './misplaced.ts';

/** A parsed value with its place. */
export interface Validated<T> {
  readonly value: T;
  readonly node: YamlNode;
  /** The place of the field's name. */
  readonly at: Place;
}

/** The valid fields of a map. Each is validated separately, so that one invalid field does not hide the others. */
export type ValidatedFields<F extends Forms> = {
  readonly [N in keyof F]?: Validated<Exclude<z.output<ReturnType<F[N]>>, undefined>>;
};

export interface MapReading {
  readonly report: Report;
  /** The words for a value that is not a map. */
  readonly expects: keyof typeof FIELD_MESSAGES;
  /** Fields whose value must be readable in the file itself: a reference in one is an error. */
  readonly verbatim?: readonly string[];
  /** Hints for fields that it does not have. */
  readonly hints?: FieldHints;
  /** The fields of the map that belong inside an empty field before them. */
  readonly belongs?: Belongs;
}

/** Returns the node if it is a map, and reports it otherwise. @param advice replaces the hint */
export function asMap(
  node: YamlNode,
  { report, expects }: MapReading,
  field: string,
  advice?: string,
): MapNode | undefined {
  if (node.kind === 'map') return node;
  if (node.broken) return undefined;
  const { expected, hint }: FieldMessage = FIELD_MESSAGES[expects];
  const empty = node.kind === 'scalar' && node.value === null;
  const isSecret = node.kind === 'scalar' && typeof node.value === 'string' && holdsSecret(node.value);
  if (isSecret) report.hide(node.place.file, node.range);
  report.problem({
    code: 'manifest.wrong-type',
    at: node.place,
    message: empty
      ? `\`${field}\` is empty.`
      : expects === 'manifest'
        ? 'The file is not a manifest.'
        : `Invalid value for \`${field}\`.`,
    found: isSecret ? 'a value that is not shown' : describeNode(node),
    expected,
    hint: (isSecret ? undefined : (adviseMap(node) ?? advice)) ?? hint,
  });
  return undefined;
}

/** Advises on a text that was meant to be a field: `group:default`. */
function adviseMap(node: YamlNode): string | undefined {
  if (node.kind !== 'scalar' || node.isReferenced || typeof node.value !== 'string') return undefined;
  const field = tryFixField(node.value);
  return field === undefined ? undefined : `Write a colon and a space. ${didYouMean(field)}`;
}

/** Reports a field that the map does not have, with a hint made from its value if that may be shown. */
function reportUnknownField(entry: Entry, known: readonly string[], { report, hints }: MapReading): void {
  // A value by which a secret is written down has been reported already.
  if (isSecretField(entry.name) && entry.node.broken) return;
  const value = hasReferences(entry.node) || entry.node.broken ? undefined : exactData(entry.node);
  const hint = adviseField(entry.name, value, hints);
  reportUnknown(report, entry, { known, ...(hint ? { hint } : {}) });
}

function reportReference({ name, node }: Entry, report: Report): void {
  report.problem({
    code: 'manifest.reference-not-allowed',
    at: node.place,
    message: `\`${name}\` cannot contain a reference.`,
    found: describeNode(node),
    expected: 'the value itself',
    hint: 'Write the value out: it decides where credentials go, or which key is meant.',
  });
}

/** Parses a map field by field. Does not report missing fields. */
export function readFields<F extends Forms>(forms: F, node: MapNode, reading: MapReading): ValidatedFields<F> {
  const validated: Record<string, Validated<unknown>> = {};
  const known = Object.keys(forms);
  const reported = new Set(reading.belongs ? reportInColumn(node, reading.belongs, reading.report) : []);
  if (known.includes('budget')) {
    const others = node.entries.filter((entry) => !reported.has(entry));
    for (const entry of reportLooseBudget(others, reading.report)) reported.add(entry);
  }
  for (const entry of node.entries) {
    if (reported.has(entry)) continue;
    const field = Object.hasOwn(forms, entry.name) ? forms[entry.name]?.() : undefined;
    if (!field) {
      reportUnknownField(entry, known, reading);
      continue;
    }
    if (entry.node.broken) continue;
    if (reading.verbatim?.includes(entry.name) && hasReferences(entry.node)) {
      reportReference(entry, reading.report);
      continue;
    }
    const parsed = z.safeParse(field, exactData(entry.node));
    if (parsed.success) validated[entry.name] = { value: parsed.data, node: entry.node, at: entry.at };
    else {
      const rejected = { schema: field, node: entry.node, field: entry.name };
      reportIssues(parsed.error.issues, rejected, reading.report);
    }
  }
  // The schema of each field has just parsed its value.
  return validated as ValidatedFields<F>;
}

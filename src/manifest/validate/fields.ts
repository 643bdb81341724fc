import * as z from 'zod';
import type { Place } from '../../domain/index.ts';
import { type Report, reportUnknown } from '../../source/index.ts';
import { FIELD_MESSAGES } from '../schema/field-messages.ts';
import { describeNode, exactData, type MapNode, type YamlNode } from '../yaml/node.ts';
import { reportIssues } from './issues.ts';

/** A parsed value with its place. */
export interface Validated<T> {
  readonly value: T;
  readonly node: YamlNode;
  /** The place of the field's name. */
  readonly at: Place;
}

/** The valid fields of a map. Each is validated separately, so that one invalid field does not hide the others. */
export type ValidatedFields<S extends z.ZodObject> = {
  readonly [F in keyof S['shape']]?: Validated<Exclude<z.output<S['shape'][F]>, undefined>>;
};

export interface MapReading {
  readonly report: Report;
  /** The words for a value that is not a map. */
  readonly expects: keyof typeof FIELD_MESSAGES;
  /** Hints for misplaced fields. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** Returns the node if it is a map, and reports it otherwise. */
export function asMap(node: YamlNode, { report, expects }: MapReading, field: string): MapNode | undefined {
  if (node.kind === 'map') return node;
  if (node.broken) return undefined;
  const { expected, hint } = FIELD_MESSAGES[expects];
  const empty = node.kind === 'scalar' && node.value === null;
  report.problem({
    code: 'manifest.wrong-type',
    at: node.place,
    message: empty ? `\`${field}\` is empty.` : `Invalid value for \`${field}\`.`,
    found: describeNode(node),
    expected,
    hint,
  });
  return undefined;
}

/** Parses a map field by field, by the shape of its schema. Does not report missing fields. */
export function readFields<S extends z.ZodObject>(schema: S, node: MapNode, reading: MapReading): ValidatedFields<S> {
  const validated: Record<string, Validated<unknown>> = {};
  const known = Object.keys(schema.shape);
  for (const entry of node.entries) {
    const field = Object.hasOwn(schema.shape, entry.name) ? schema.shape[entry.name] : undefined;
    if (!field) {
      const hint = reading.elsewhere && Object.hasOwn(reading.elsewhere, entry.name) && reading.elsewhere[entry.name];
      reportUnknown(reading.report, entry, { known, ...(hint ? { hint } : {}) });
      continue;
    }
    if (entry.node.broken) continue;
    const parsed = z.safeParse(field, exactData(entry.node));
    if (parsed.success) validated[entry.name] = { value: parsed.data, node: entry.node, at: entry.at };
    else {
      const rejected = { schema: field, node: entry.node, field: entry.name };
      reportIssues(parsed.error.issues, rejected, reading.report);
    }
  }
  // The schema of each field has just parsed its value.
  return validated as ValidatedFields<S>;
}

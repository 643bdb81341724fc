import { z } from 'zod';
import type { Place } from '../../domain/index.ts';
import { type Report, reportUnknown } from '../../source/index.ts';
import { EXPECTATIONS, type ExpectationName } from '../schema/field-messages.ts';
import { type Fields, found, plain, type Tree } from '../yaml/tree.ts';
import { reportIssues } from './issues.ts';

/** A valid value, and where it stands. */
export interface Held<T> {
  readonly value: T;
  readonly node: Tree;
  /** Where the field's name stands. */
  readonly at: Place;
}

/** The valid fields of a map: each on its own, so that one wrong field does not hide what is to be said of the others. */
export type HeldFields<S extends z.ZodObject> = {
  readonly [F in keyof S['shape']]?: Held<Exclude<z.output<S['shape'][F]>, undefined>>;
};

export interface MapReading {
  readonly report: Report;
  /** What a value that is not a map should have been. */
  readonly expects: ExpectationName;
  /** Hints for fields that people write there, and that belong elsewhere. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** The node as a map; reports what else it is. Undefined when it is none. */
export function asMap(node: Tree, { report, expects }: MapReading, field: string): Fields | undefined {
  if (node.kind === 'map') return node;
  if (node.broken) return undefined;
  const { expected, hint } = EXPECTATIONS[expects];
  const empty = node.kind === 'scalar' && node.value === null;
  report.problem({
    code: 'manifest.wrong-type',
    at: node.place,
    message: empty ? `\`${field}\` is empty.` : `\`${field}\` does not take this.`,
    found: found(node),
    expected,
    hint,
  });
  return undefined;
}

/** Validates a map field by field, by the shape of its schema. Fields that must be there are not looked for. */
export function readFields<S extends z.ZodObject>(schema: S, node: Fields, reading: MapReading): HeldFields<S> {
  const held: Record<string, Held<unknown>> = {};
  const known = Object.keys(schema.shape);
  for (const entry of node.entries) {
    const field = Object.hasOwn(schema.shape, entry.name) ? schema.shape[entry.name] : undefined;
    if (!field) {
      const hint = reading.elsewhere && Object.hasOwn(reading.elsewhere, entry.name) && reading.elsewhere[entry.name];
      reportUnknown(reading.report, entry, { known, ...(hint ? { hint } : {}) });
      continue;
    }
    if (entry.node.broken) continue;
    const parsed = z.safeParse(field, plain(entry.node));
    if (parsed.success) held[entry.name] = { value: parsed.data, node: entry.node, at: entry.at };
    else {
      const refused = { schema: field, node: entry.node, field: entry.name, at: entry.at };
      reportIssues(parsed.error.issues, refused, reading.report);
    }
  }
  // Each value has just been parsed by the schema of its own field.
  return held as HeldFields<S>;
}

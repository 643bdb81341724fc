import {
  type Diagnostic,
  declaredName,
  hasDrift,
  isWithheld,
  type Plan,
  type PlanNote,
  type UnixSeconds,
} from '../../../domain/index.ts';
import { reportedDelivery } from '../deliveries.ts';
import type { Guidance } from '../guidance.ts';
import { printable } from '../layout/printable.ts';
import type { Row } from '../layout/rows.ts';
import { changeRows, changeSubject, changeTitle, isReported, planScale } from '../plan.ts';
import { wordedNote } from '../remedies.ts';
import { SYMBOLS, type Wording } from '../wording.ts';
import type { FailureKind, OutlookLine } from './outlook.ts';
import type { OwnerGroup } from './owners.ts';

/** The inputs of a report of changes. */
export interface ChangePage {
  readonly plan: Plan;
  readonly now: UnixSeconds;
  readonly wording: Wording;
  /** The digest of a plan that was saved. */
  readonly digest?: string;
  /** The reasons of the guard. Every format shows them first. */
  readonly refusals: readonly Diagnostic[];
  /** Facts of a drift that are not drift, and which kinds of them fail a job. */
  readonly outlook?: readonly OutlookLine[];
  readonly failOn?: ReadonlySet<FailureKind>;
  /** The findings by owner; only for drift. */
  readonly owners?: readonly OwnerGroup[];
}

/** A change as every format shows it. */
export interface ReportedChange {
  readonly name: string;
  /** The key with its ID, and with its former name when it is renamed. */
  readonly subject: string;
  readonly title: string;
  readonly symbol: string;
  readonly word: string;
  readonly pending: boolean;
  readonly withheld: boolean;
  /** Is it worth a line in a table of changes? */
  readonly reported: boolean;
  /** A line for each field. */
  readonly lines: readonly string[];
}

/** `models: + a, b; - c`, `expires: never → 2030-01-01`, `expires: declared 2030-01-01, live never`. */
function rowText(row: Row): string {
  if ('value' in row) return `${row.label}: ${row.value}`;
  if ('before' in row) return `${row.label}: ${row.before} → ${row.after}`;
  const parts = [
    ...(row.added.length > 0 ? [`+ ${row.added.join(', ')}`] : []),
    ...(row.removed.length > 0 ? [`- ${row.removed.join(', ')}`] : []),
  ];
  return `${row.label}: ${parts.join('; ')}`;
}

/** The changes of a plan, in its order, with their rows, and the deliveries after them. */
export function reportedChanges({ plan, now, wording }: ChangePage): readonly ReportedChange[] {
  const scale = planScale(plan, now, wording);
  const changes = plan.changes.map((change) => ({
    name: declaredName(change),
    subject: changeSubject(change, wording),
    title: changeTitle(change, wording).replace(/ +/g, ' '),
    symbol: SYMBOLS[change.verb],
    word: wording.verbs[change.verb],
    pending: hasDrift({ changes: [change] }),
    withheld: isWithheld(change),
    reported: isReported(change, scale),
    lines: changeRows(change, scale).map(rowText),
  }));
  return [...changes, ...(plan.deliveries ?? []).map((delivery) => reportedDelivery(delivery, wording))];
}

/** All changes of one key: its settings and its status may both change. */
export interface ReportedKey {
  readonly name: string;
  /** Is something about it that the job was asked to fail on? */
  readonly failed: boolean;
  /** Not as declared, and not failed. */
  readonly skipped: boolean;
  /** The most important change, in a line. */
  readonly title: string;
  readonly lines: readonly string[];
}

const BY_DEFAULT: ReadonlySet<FailureKind> = new Set(['drift']);

function reportedKey(name: string, own: readonly ReportedChange[], page: ChangePage): ReportedKey {
  const { wording, refusals, failOn = BY_DEFAULT } = page;
  const isRefused = refusals.some(({ data }) => Array.isArray(data?.names) && data.names.includes(name));
  const isDrift = failOn.has('drift') && own.some((change) => change.pending);
  const failed = isDrift || (failOn.has('withheld') && (isRefused || own.some((change) => change.withheld)));
  return {
    name: printable(name),
    failed,
    skipped: !failed && own.some(({ word }) => word !== wording.verbs.keep),
    title: own.map(({ title }) => title).join('; '),
    lines: own.flatMap(({ title, lines }) => [title, ...lines]),
  };
}

/** The keys of a plan, each once, in the order in which they first occur. */
export function reportedKeys(page: ChangePage): readonly ReportedKey[] {
  const keys = new Map<string, ReportedChange[]>();
  for (const change of reportedChanges(page)) keys.set(change.name, [...(keys.get(change.name) ?? []), change]);
  return [...keys].map(([name, own]) => reportedKey(name, own, page));
}

/** `app-1: its budget is used up`: a note without a layout of its own. */
export const noteText = (note: PlanNote, guidance: Guidance): string =>
  note.data === undefined ? wordedNote(note, guidance) : `${note.data.name}: ${wordedNote(note, guidance)}`;

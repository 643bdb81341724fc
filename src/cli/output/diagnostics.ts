import type { Diagnostic, Place } from '../../domain/index.ts';
import type { SourcedDiagnostics } from '../program/command.ts';
import { counted, renderFirst } from './layout/amount.ts';
import { hang, outdent } from './layout/columns.ts';
import { foldEqual } from './layout/fold.ts';
import { linesOf, renderFrame } from './layout/frame.ts';
import type { TextStyle } from './layout/paint.ts';
import { renderPlace } from './layout/place.ts';
import { printable } from './layout/printable.ts';
import { hintOf } from './remedies.ts';

/** Each source as its lines, split once for all. */
type SourceLines = ReadonlyMap<string, readonly string[]>;

function severityOf(diagnostic: Diagnostic, { paint }: TextStyle): string {
  const colour = { error: paint.bad, warning: paint.change, info: paint.link }[diagnostic.severity];
  return `${colour(paint.strong(diagnostic.severity))}${paint.faint(`[${diagnostic.code}]`)}`;
}

/** A diagnostic, with the places of others that are equal to it. */
interface Folded {
  readonly diagnostic: Diagnostic;
  readonly alsoAt: readonly Place[];
}

/** Equal warnings up to this number are shown one by one. */
const MOST_EQUAL = 2;
/** The places that a folded warning names. */
const MOST_PLACES = 5;

/** The same for equal warnings that have a place. */
const sameness = ({ severity, code, message, hint, place, related }: Diagnostic): string | undefined =>
  severity === 'warning' && place && !related?.length ? JSON.stringify([code, message, hint]) : undefined;

/** Folds equal warnings about many places into the first of them: 60 imported keys may have 20 expiries in the past. */
const folded = (diagnostics: readonly Diagnostic[]): readonly Folded[] =>
  foldEqual(diagnostics, MOST_EQUAL, sameness).map(([diagnostic, ...others]) => ({
    diagnostic,
    alsoAt: others.flatMap(({ place }) => place ?? []),
  }));

const renderOthers = (places: readonly Place[], { paint, width }: TextStyle): readonly string[] =>
  places.length === 0
    ? []
    : hang(`  ${paint.faint('also:')} `, renderFirst(places.map(renderPlace), MOST_PLACES), width);

function renderOne({ diagnostic, alsoAt }: Folded, sources: SourceLines, look: TextStyle): string {
  const { place, found, expected, related = [] } = diagnostic;
  const lines = [...outdent(`${severityOf(diagnostic, look)}: ${printable(diagnostic.message)}`, look.width)];
  if (place) lines.push(...renderFrame(place, sources.get(place.file), look));
  for (const { place: other, message } of related) {
    lines.push(...renderFrame(other, sources.get(other.file), { ...look, label: message }));
  }
  lines.push(...renderOthers(alsoAt, look));
  const remarks = { found, expected, hint: hintOf(diagnostic) };
  for (const [name, text] of Object.entries(remarks)) {
    if (text !== undefined) lines.push(...hang(`  ${look.paint.faint(`${name}:`)} `, printable(text), look.width));
  }
  return lines.join('\n');
}

/** The most diagnostics that a person is shown. JSON has all of them. */
export const MOST_SHOWN = 200;

/** The diagnostics, each with its code frame, in the order given, and the number of those left out. Equal warnings are folded. */
export function renderDiagnostics({ diagnostics, sources }: SourcedDiagnostics, look: TextStyle): string {
  const lines = new Map([...sources].map(([file, source]) => [file, linesOf(source)]));
  const all = folded(diagnostics);
  const shown = all.slice(0, MOST_SHOWN).map((each) => renderOne(each, lines, look));
  const others = countDiagnostics(all.slice(MOST_SHOWN).map(({ diagnostic }) => diagnostic));
  return [...shown, ...(others === undefined ? [] : [`and ${others} more`])].join('\n\n');
}

/** `2 errors, 1 warning`, or undefined when there is nothing to count. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string | undefined {
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const n = diagnostics.filter((d) => d.severity === severity).length;
    return n === 0 ? [] : [counted(n, severity, severity === 'info' ? 'infos' : `${severity}s`)];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}

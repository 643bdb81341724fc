import type { Diagnostic } from '../../domain/index.ts';
import type { SourcedDiagnostics } from '../program/command.ts';
import { counted } from './layout/amount.ts';
import { hang, outdent } from './layout/columns.ts';
import { linesOf, renderFrame } from './layout/frame.ts';
import type { TextStyle } from './layout/paint.ts';
import { printable } from './layout/printable.ts';
import { hintOf } from './remedies.ts';

/** Each source as its lines, split once for all. */
type SourceLines = ReadonlyMap<string, readonly string[]>;

function severityOf(diagnostic: Diagnostic, { paint }: TextStyle): string {
  const colour = { error: paint.bad, warning: paint.change, info: paint.link }[diagnostic.severity];
  return `${colour(paint.strong(diagnostic.severity))}${paint.faint(`[${diagnostic.code}]`)}`;
}

function renderOne(diagnostic: Diagnostic, sources: SourceLines, look: TextStyle): string {
  const { place, found, expected, related = [] } = diagnostic;
  const lines = [...outdent(`${severityOf(diagnostic, look)}: ${printable(diagnostic.message)}`, look.width)];
  if (place) lines.push(...renderFrame(place, sources.get(place.file), look));
  for (const { place: other, message } of related) {
    lines.push(...renderFrame(other, sources.get(other.file), { ...look, label: message }));
  }
  const remarks = { found, expected, hint: hintOf(diagnostic) };
  for (const [name, text] of Object.entries(remarks)) {
    if (text !== undefined) lines.push(...hang(`  ${look.paint.faint(`${name}:`)} `, printable(text), look.width));
  }
  return lines.join('\n');
}

/** The most diagnostics that a person is shown. JSON has all of them. */
const MOST_SHOWN = 200;

/** The diagnostics, each with its code frame, in the order given, and the number of those left out. Empty when there are none. */
export function renderDiagnostics({ diagnostics, sources }: SourcedDiagnostics, look: TextStyle): string {
  const lines = new Map([...sources].map(([file, source]) => [file, linesOf(source)]));
  const shown = diagnostics.slice(0, MOST_SHOWN).map((diagnostic) => renderOne(diagnostic, lines, look));
  const others = countDiagnostics(diagnostics.slice(MOST_SHOWN));
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

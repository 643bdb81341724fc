import type { Place } from '../../../domain/index.ts';
import { clip, endOf, widthOf } from './columns.ts';
import type { Paint } from './paint.ts';
import { renderPlace } from './place.ts';
import { printable } from './printable.ts';

const TAB = 4;
/** Columns that stay visible before the marked range when a line is cut. */
const LEAD = 20;
/** The UTF-16 units of a line that are looked at for each column: emoji have several. */
const UNITS_PER_COLUMN = 8;

interface Drawn {
  readonly text: string;
  /** Columns before and under the mark. */
  readonly before: number;
  readonly under: number;
}

function expandTabs(text: string, from = 0): string {
  let column = from;
  let out = '';
  for (const part of text.split(/(\t)/)) {
    const drawn = part === '\t' ? ' '.repeat(TAB - (column % TAB)) : printable(part);
    out += drawn;
    column += widthOf(drawn);
  }
  return out;
}

/** The line with tabs expanded, cut to `room` columns so that the mark is in sight. */
function draw(line: string, start: number, end: number, room: number): Drawn {
  // A line may have megabytes, and each of its problems is drawn.
  const reach = room * UNITS_PER_COLUMN;
  const head = expandTabs(line.slice(Math.max(0, start - reach), start));
  const marked = expandTabs(line.slice(start, Math.min(end, start + reach)), widthOf(head));
  const rest = expandTabs(line.slice(end, end + reach), widthOf(head) + widthOf(marked));
  const isCut = widthOf(head) + widthOf(marked) > room && widthOf(head) > LEAD;
  const shownHead = isCut ? `…${endOf(head, LEAD - 1)}` : head;
  const before = widthOf(shownHead);
  const under = Math.max(1, Math.min(widthOf(marked), room - before));
  return { text: clip(shownHead + marked + rest, room), before, under };
}

export interface FrameOptions {
  readonly paint: Paint;
  readonly width: number;
  /** The text next to the mark. */
  readonly label?: string;
}

/** The lines of a source, as places count them. */
export const linesOf = (source: string): readonly string[] => source.split(/\r?\n/);

/**
 * The lines around a place with a mark under it. Columns count UTF-16 units, as the YAML reader does. Without the
 * source, or beyond its end, only where it is.
 */
export function renderFrame(
  place: Place,
  source: readonly string[] | undefined,
  options: FrameOptions,
): readonly string[] {
  const { paint, width, label } = options;
  const lines = source ?? [];
  const line = lines[place.line - 1];
  const gutter = String(place.line).length;
  const blank = ' '.repeat(gutter);
  const where = `${blank}${paint.link('-->')} ${renderPlace(place)}`;
  if (line === undefined) return [where];
  const room = Math.max(30, width - gutter - 3);
  const bar = paint.link('|');
  const start = Math.min(place.column - 1, line.length);
  const sameLine = place.endLine === undefined || place.endLine === place.line;
  const end = sameLine ? Math.min((place.endColumn ?? place.column) - 1, line.length) : line.length;
  const { text, before, under } = draw(line, start, Math.max(end, start), room);
  const mark = `${' '.repeat(before)}${paint.bad('^'.repeat(under))}${label ? ` ${paint.bad(printable(label))}` : ''}`;
  const previous = lines[place.line - 2];
  const context =
    previous === undefined || previous.trim() === ''
      ? []
      : [`${paint.link(String(place.line - 1).padStart(gutter))} ${bar} ${draw(previous, 0, 0, room).text}`];
  return [where, ...context, `${paint.link(String(place.line))} ${bar} ${text}`, `${blank} ${bar} ${mark}`];
}

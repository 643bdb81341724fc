import { stringify } from 'yaml';
import { printable } from './layout/printable.ts';

/** One point of TAP version 14. */
export interface TapPoint {
  readonly ok: boolean;
  readonly name: string;
  /** The reason why it was skipped; absent: it was not. */
  readonly skipped?: string;
  /** More, as YAML. Fields that are undefined are left out. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `#` begins a directive, and a backslash takes that from it. */
const tapText = (text: string): string => printable(text).replace(/[\\#]/g, '\\$&');

/** Data as YAML can hold it: nothing undefined, and no character that a terminal would obey. */
const harmless = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? value.split('\n').map(printable).join('\n') : value,
  );

function pointLines({ ok, name, skipped, details }: TapPoint, index: number): readonly string[] {
  const directive = skipped === undefined ? '' : ` # SKIP ${tapText(skipped)}`;
  const line = `${ok ? 'ok' : 'not ok'} ${index + 1} - ${tapText(name)}${directive}`;
  if (details === undefined) return [line];
  const yaml = stringify(harmless(details), { lineWidth: 0 }).trimEnd();
  return [line, '  ---', ...yaml.split('\n').map((each) => `  ${each}`), '  ...'];
}

/** TAP version 14. `nothing` is why there may be no points; `bailOut` what ended the run early; `comments` come first. */
export function renderPoints(
  points: readonly TapPoint[],
  { nothing, bailOut, comments = [] }: { nothing: string; bailOut?: string; comments?: readonly string[] },
): string {
  const plan = points.length === 0 && bailOut === undefined ? `1..0 # SKIP ${tapText(nothing)}` : `1..${points.length}`;
  const end = bailOut === undefined ? [] : [`Bail out! ${printable(bailOut.replace(/\s*\n\s*/g, ' '))}`];
  const remarks = comments.map((comment) => `# ${printable(comment)}`);
  return `${['TAP version 14', plan, ...remarks, ...points.flatMap(pointLines), ...end].join('\n')}\n`;
}

import { stringify } from 'yaml';
import { tapText } from '../tap-text.ts';
import { type ChangePage, toldChanges } from './told-change.ts';

/** Drift as TAP version 14: a line for each owned key, not ok where something is pending. */
export function renderChangeTap(page: ChangePage): string {
  const told = toldChanges(page);
  const lines = told.flatMap(({ name, title, pending, lines: fields }, index) => {
    const line = `${pending ? 'not ok' : 'ok'} ${index + 1} - ${tapText(name)}`;
    if (!pending) return [line];
    const yaml = stringify({ message: title, fields }, { lineWidth: 0 }).trimEnd();
    return [line, '  ---', ...yaml.split('\n').map((each) => `  ${each}`), '  ...'];
  });
  return `${['TAP version 14', `1..${told.length}`, ...lines].join('\n')}\n`;
}

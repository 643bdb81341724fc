import { stringify } from 'yaml';
import { type CheckReport, type CheckResult, isFlaky } from '../../../domain/index.ts';
import { printable } from '../printable.ts';
import { tapText } from '../tap-text.ts';
import { explain } from './plain-words.ts';

function directive({ verdict, reason = '' }: CheckResult): string {
  if (verdict === 'skipped') return ` # SKIP ${tapText(reason)}`;
  return verdict === 'unprovable' ? ` # SKIP unprovable: ${tapText(reason)}` : '';
}

/** Details in YAML, indented as TAP wants it. */
function details(result: CheckResult): readonly string[] {
  const { module, model, code, durationMs, findings, verdict } = result;
  if (verdict !== 'failed' && !isFlaky(result)) return [];
  const broken = findings.filter(({ holds }) => !holds).map(({ claim, found }) => ({ claim, found }));
  const data = { message: explain(result).join('\n'), module, model, code, durationMs, broken };
  const yaml = stringify(JSON.parse(JSON.stringify(data)) as object, { lineWidth: 0 }).trimEnd();
  return ['  ---', ...yaml.split('\n').map((line) => `  ${line}`), '  ...'];
}

/** TAP version 14: a line for each check of each key, and why for those that failed. */
export function renderTap({ results, fatal }: CheckReport): string {
  const lines = results.flatMap((result, index) => {
    const status = result.verdict === 'failed' ? 'not ok' : 'ok';
    const name = `${tapText(result.key)} ${tapText(result.check)}`;
    return [`${status} ${index + 1} - ${name}${directive(result)}`, ...details(result)];
  });
  const end = fatal ? [`Bail out! ${printable(fatal.message)}`] : [];
  return `${['TAP version 14', `1..${results.length}`, ...lines, ...end].join('\n')}\n`;
}

import { type CheckSpec, type Json, renderDuration } from '../../../domain/index.ts';
import { writeFlow, writeName, writeText } from './scalar.ts';

/** Dollars are written as the number that they are, exactly. */
function expectText({ maxCost, ...expect }: CheckSpec['expect']): string | undefined {
  const parts = Object.entries(expect).map(([name, value]) => `${name}: ${writeFlow(value as Json)}`);
  if (maxCost !== undefined) parts.push(`maxCost: ${maxCost}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : undefined;
}

/** A definition of a check as lines of YAML. */
export function checkLines(spec: CheckSpec): readonly string[] {
  const { module, model, family, request, expect, retries, timeoutMs, schedule } = spec;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['module', module],
    ['model', model === undefined ? undefined : writeText(model)],
    ['family', family === undefined ? undefined : writeText(family)],
    ...Object.entries(request).map(([name, value]) => [writeName(name), writeFlow(value)] as const),
    ['expect', expectText(expect)],
    ['retries', retries > 0 ? String(retries) : undefined],
    ['timeout', timeoutMs === undefined ? undefined : renderDuration(timeoutMs / 1000)],
    ['schedule', schedule],
  ];
  const said = fields.flatMap(([name, text]) => (text === undefined ? [] : [`    ${name}: ${text}`]));
  return [`  ${writeName(spec.name)}:`, ...said];
}

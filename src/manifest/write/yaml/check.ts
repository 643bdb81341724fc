import { type AssertionCodec, type CheckSpec, mapAssertions, renderDuration } from '../../../domain/index.ts';
import { writeFlow, writeName, writeText } from './scalar.ts';

/** Amounts are exact: they keep their digits. */
const ASSERTION_CODEC: AssertionCodec<string> = {
  text: writeFlow,
  texts: writeFlow,
  pattern: writeFlow,
  jsonSchema: writeFlow,
  count: writeFlow,
  seconds: writeFlow,
  flag: writeFlow,
  mediaFormat: writeFlow,
  usd: (amount) => amount,
};

function expectText(expect: CheckSpec['expect']): string | undefined {
  const parts = mapAssertions(expect, ASSERTION_CODEC).map(([name, text]) => `${name}: ${text}`);
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : undefined;
}

/** Writes the definition of a check as lines of YAML. */
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
  const lines = fields.flatMap(([name, text]) => (text === undefined ? [] : [`    ${name}: ${text}`]));
  return [`  ${writeName(spec.name)}:`, ...lines];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ROOT } from '../architecture/repository.ts';

type Schema = Record<string, unknown>;

/** The published schema accepts unknown fields, since later versions may add some. What is printed today has none. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema as Schema).map(([name, value]) => [name, closed(value)]));
  const isClosed = members.type === 'object' && 'properties' in members && !('additionalProperties' in members);
  return isClosed ? { ...members, additionalProperties: false } : members;
}

const schemaOf = (): Schema => JSON.parse(readFileSync(join(ROOT, 'schema/output.schema.json'), 'utf8')) as Schema;

/** The kinds of output that the published schema describes. */
export function describedKinds(): readonly string[] {
  const { $defs } = schemaOf() as { $defs: Record<string, { properties?: { kind?: { const?: string } } }> };
  return Object.values($defs).flatMap(({ properties }) => {
    const kind = properties?.kind?.const;
    return kind === undefined || kind === 'saved-plan' ? [] : [kind];
  });
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(kind: string): ValidateFunction | undefined {
  const known = validators.get(kind);
  if (known) return known;
  const {
    $defs,
    anyOf: _anyOf,
    ...rest
  } = closed(schemaOf()) as { anyOf?: unknown; $defs: Record<string, { properties?: { kind?: Schema } }> };
  const [name] = Object.entries($defs).find(([, { properties }]) => properties?.kind?.const === kind) ?? [];
  if (name === undefined) return undefined;
  const schema = { ...rest, $defs, $ref: `#/$defs/${name}` };
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
  validators.set(kind, validate);
  return validate;
}

/** @throws Error when a command printed JSON that the published schema does not describe */
export function requireDescribed(words: readonly string[], text: string): void {
  const wanted = words.includes('--format=json') || words[words.indexOf('--format') + 1] === 'json';
  // Repeated checks and entries that are followed print one line after another.
  if (!wanted || !text.startsWith('{"kind"') || text.trimEnd().includes('\n')) return;
  const problems = problemsOf(JSON.parse(text));
  if (problems.length > 0) throw new Error(`The output differs from its schema:\n${problems.join('\n')}`);
}

/** Lists the differences of an output of `--format json` from the schema. */
export function problemsOf(output: Schema & { readonly kind: string }): readonly string[] {
  const validate = validatorOf(output.kind);
  if (!validate) return [`no schema for ${output.kind}`];
  const { kind } = output;
  if (validate(output)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${kind}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

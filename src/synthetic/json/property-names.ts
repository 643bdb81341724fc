import { isKeywords, type Keywords, mapWithin } from './schema-walk.ts';

/** Makes a name that satisfies a schema of names; another one at another turn, as a rule. */
export type NameFor = (names: Keywords, turn: number) => unknown;

const TURNS_FOR_EACH = 5;

function* distinctNames(names: Keywords, wanted: number, nameFor: NameFor): Generator<string> {
  const seen = new Set<string>();
  for (let turn = 0; turn < wanted * TURNS_FOR_EACH && seen.size < wanted; turn += 1) {
    const name = String(nameFor({ type: 'string', ...names }, turn));
    if (!seen.has(name)) yield name;
    seen.add(name);
  }
}

/** What names have to be like, and the values behind them. */
function namedValues(schema: Keywords): readonly [Keywords, unknown] | undefined {
  const [pattern] = Object.entries(isKeywords(schema.patternProperties) ? schema.patternProperties : {});
  if (pattern !== undefined) return [{ pattern: pattern[0] }, pattern[1]];
  const { propertyNames, additionalProperties = {} } = schema;
  return isKeywords(propertyNames) ? [propertyNames, additionalProperties] : undefined;
}

/** Where members are wanted whose names are only described, gives them names: the generator makes up any. */
export const withNames = (schema: unknown, nameFor: NameFor): unknown => {
  if (!isKeywords(schema)) return schema;
  const within = mapWithin(schema, (inner) => withNames(inner, nameFor));
  const own = isKeywords(within.properties) ? within.properties : {};
  const wanted = Number(within.minProperties ?? 0) - Object.keys(own).length;
  const described = namedValues(within);
  if (described === undefined || !(wanted > 0)) return within;
  const [names, value] = described;
  const added = [...distinctNames(names, wanted, nameFor)];
  return {
    ...within,
    properties: { ...own, ...Object.fromEntries(added.map((name) => [name, value])) },
    required: [...new Set([...((within.required as readonly string[] | undefined) ?? []), ...added])],
  };
};

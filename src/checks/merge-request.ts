import type { Json } from '../domain/index.ts';
import type { Body } from './check-module.ts';

const isMap = (value: Json | undefined): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields laid over defaults: maps are joined, anything else is replaced; `null` takes a default away. */
export function mergeRequest(defaults: Body, fields: Body): Body {
  const joined: Record<string, Json> = { ...defaults };
  for (const [name, value] of Object.entries(fields)) {
    const before = joined[name];
    if (value === null) delete joined[name];
    else joined[name] = isMap(before) && isMap(value) ? mergeRequest(before, value) : value;
  }
  return joined;
}

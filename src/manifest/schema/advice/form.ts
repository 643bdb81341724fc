import { writeText } from '../../write/yaml/scalar.ts';

/** Hints offer a corrected form in these words, so that people find what to copy. */
export const didYouMean = (form: string): string => `Did you mean \`${form}\`?`;

/** Would YAML read this as another type than a string? */
const isOtherType = (text: string): boolean =>
  !Number.isNaN(Number(text)) || /^(true|false|null|yes|no|on|off|\.inf|\.nan)$/iu.test(text);

/** A string as an item within brackets, quoted where it must be. */
const inItem = (text: string): string =>
  /^[\w./][\w./:-]*$/u.test(text) && !text.endsWith(':') && !isOtherType(text) ? text : writeText(text);

export const inBrackets = (items: readonly string[]): string => `[${items.map(inItem).join(', ')}]`;

const isObject = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** The fields of a map, or of all maps in a list: `- usd: 5` and `- per: month` are two of them. */
export function fieldsIn(data: unknown): Readonly<Record<string, unknown>> | undefined {
  const maps: readonly unknown[] = Array.isArray(data) ? data : [data];
  return maps.length > 0 && maps.every(isObject) ? Object.assign({}, ...maps) : undefined;
}

/** Plain data in YAML’s flow style, with as few quotes as it needs. */
export function inFlow(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(inFlow).join(', ')}]`;
  if (isObject(data)) {
    const fields = Object.entries(data).map(([name, value]) => `${inItem(name)}: ${inFlow(value)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return typeof data === 'string' ? inItem(data) : String(data);
}

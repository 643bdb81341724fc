/** Whatever JSON writes otherwise than as the character itself, or UTF-8 in more than one byte. */
const LONGER = /[^ !#-[\]-~]/;

const textBytes = (text: string): number =>
  LONGER.test(text) ? Buffer.byteLength(JSON.stringify(text)) : text.length + 2;

const commas = (members: number): number => Math.max(0, members - 1);

/**
 * Returns the size of a value as JSON in bytes, without rendering it: requests hold files of many megabytes. Accepts JSON
 * values of any depth.
 */
export function jsonBytes(root: unknown): number {
  const waiting: unknown[] = [root];
  let total = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') total += textBytes(value);
    else if (Array.isArray(value)) {
      total += 2 + commas(value.length);
      for (const item of value) waiting.push(item);
    } else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      total += 2 + commas(members.length) + members.length;
      for (const [name, member] of members) waiting.push(name, member);
    } else total += String(value ?? null).length;
  }
  return total;
}

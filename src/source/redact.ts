import { blankCredentials } from '../domain/index.ts';

/** Fields by which people would write a credential down, without case, `-` and `_`. */
const SECRET_FIELD =
  /^(system)?(access)?token$|^(access|api|secret|private)?key$|^(client)?secret$|^password$|^authorization$|^bearer$/;

/** `token: …` in a text that is not valid YAML, up to the end of its line. */
const SECRET_LINE =
  /((?:^|[\s{,"'-])(?:system|access|api|secret|private|client)?[_-]?(?:access)?[_-]?(?:token|key|secret|password|authorization|bearer)["']?[ \t]*[:=][ \t]*)(?!\$\{)(\S.*)$/gim;

const MASK = '•';

/** Returns whether a field of this name may hold a secret. */
export const isSecretField = (field: string): boolean => SECRET_FIELD.test(field.replace(/[-_\s]/g, '').toLowerCase());

const blank = (text: string): string => text.replace(/[^\r\n]+/g, (line) => MASK.repeat(line.length));

/** The text, fit for a code frame: given ranges and everything that looks like a credential are blanked. */
export function blankSecrets(text: string, ranges: readonly (readonly [number, number])[]): string {
  let out = '';
  let end = 0;
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (to <= end) continue;
    const start = Math.max(from, end);
    out += text.slice(end, start) + blank(text.slice(start, to));
    end = to;
  }
  return blankCredentials(out + text.slice(end));
}

/** Returns whether a text gives a value to a field that may hold a secret: `token:abc`. */
export const holdsSecret = (text: string): boolean => blankSecretLines(text) !== text;

/** Blanks the rest of each line after a field that may hold a secret, for a text that is not valid YAML. */
export const blankSecretLines = (text: string): string =>
  text.replace(SECRET_LINE, (_, field: string, value: string) => field + blank(value));

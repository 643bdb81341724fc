import { renderDecimal } from '../../domain/index.ts';
import { Refused } from './refused.ts';
import { isInstance, known, sortedMembers, textValue, type Value } from './value.ts';

/** Terraform escapes what could end a script in a page of HTML. */
const ESCAPED = /[<>&\u2028\u2029]/g;

const encodeText = (text: string): string =>
  JSON.stringify(text).replace(ESCAPED, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** The text that `jsonencode` gives, letter by letter. */
export function jsonEncode(value: Value): string {
  const plain = known(value);
  if (plain === null || typeof plain === 'boolean') return String(plain);
  if (typeof plain === 'string') return encodeText(plain);
  if (plain.kind === 'number') return renderDecimal(plain.exact);
  if (plain.kind === 'list') return textValue(`[${plain.items.map(jsonEncode).join(',')}]`);
  if (isInstance(plain)) throw new Refused(`\`${plain.address}\` as a whole is not known here.`);
  const members = sortedMembers(plain).map(([name, member]) => `${encodeText(name)}:${jsonEncode(member)}`);
  return textValue(`{${members.join(',')}}`);
}

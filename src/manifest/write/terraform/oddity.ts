import { canonicalJson, type Json } from '../../../domain/index.ts';

/** Why a language would make something else of a value; undefined: it is written as it is. */
export type Oddity = (value: Json) => string | undefined;

/** Terraform brings every text to this form: in another, a name would become another name. */
const isNormal = (text: string): boolean => text === text.normalize('NFC');

const textOf = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));

export const oddInTerraform: Oddity = (value) =>
  isNormal(textOf(value)) ? undefined : 'Terraform would write the text in another Unicode form';

/** What CDK takes for the sign of something that is known later, escaped or not. */
const TOKEN = /[$#&]\{TfToken\[/;

/** The first bits of the numbers, in a range that nobody counts in, that CDK takes for such signs as well. */
const TOKEN_BITS: readonly number[] = [0xfdff, 0xfbff];

function isTokenNumber(value: number): boolean {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return TOKEN_BITS.includes(bytes.getUint16(0));
}

function holdsTokenNumber(value: Json): boolean {
  if (typeof value === 'number') return isTokenNumber(value);
  return value !== null && typeof value === 'object' && Object.values(value).some(holdsTokenNumber);
}

export const oddInCdk: Oddity = (value) => {
  if (TOKEN.test(textOf(value))) return 'CDK would take the text for a reference of its own';
  return holdsTokenNumber(value) ? 'CDK would take a number for a reference of its own' : oddInTerraform(value);
};

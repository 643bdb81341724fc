import { canonicalJson, type Json } from '../../../domain/index.ts';

/** Explains why a language would change a value; undefined: it is written unchanged. */
export type IncompatibilityFinder = (value: Json) => string | undefined;

/** Terraform normalizes every string to NFC, so a name in another form would change. */
const isNormal = (text: string): boolean => text === text.normalize('NFC');

const textOf = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));

export const incompatibleInTerraform: IncompatibilityFinder = (value) =>
  isNormal(textOf(value)) ? undefined : 'Terraform would change its Unicode form';

/** The text that CDK uses for values that are known later, even when escaped. */
const TOKEN = /[$#&]\{TfToken\[/;

/** The first bits of the numbers that CDK uses for such values; they are far outside any useful range. */
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

export const incompatibleInCdk: IncompatibilityFinder = (value) => {
  if (TOKEN.test(textOf(value))) return 'CDK would mistake the text for a token';
  return holdsTokenNumber(value) ? 'CDK would mistake a number for a token' : incompatibleInTerraform(value);
};

import { Fault } from '../../domain/index.ts';
import { CDKS, type Cdk, LANGUAGES, type Language } from '../../manifest/index.ts';
import type { Context } from './command.ts';
import { text } from './option.ts';

/** The language of `--to`. */
export const languageOf = ({ given }: Context): Language | undefined =>
  LANGUAGES.find((each) => each === text(given, 'to'));

/** @throws Fault `usage.invalid` when no program is to be written */
export function cdkOf({ given }: Context, language: Language): { readonly cdk?: Cdk } {
  const cdk = CDKS.find((each) => each === text(given, 'cdk'));
  if (cdk === undefined) return {};
  if (language === 'cdk') return { cdk };
  throw new Fault('usage.invalid', '--cdk requires --to cdk.', {
    hint: 'Add --to cdk, or omit --cdk.',
  });
}

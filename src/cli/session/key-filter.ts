import { Fault, matchesAnyGlob, type NameGlob } from '../../domain/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { texts } from '../program/option.ts';

/**
 * Refuses globs of `--key` that match no key: misspelt, they would look like an account with nothing to do.
 *
 * @throws Fault `usage.invalid`
 */
export function refuseUnmatched(globs: readonly NameGlob[]): void {
  if (globs.length === 0) return;
  const listed = globs.map((glob) => `--key "${printable(glob)}"`).join(', ');
  throw new Fault('usage.invalid', `${listed} matches no key.`, {
    hint: 'Nothing was changed. `*` matches any run of characters, `?` matches one; names are case-sensitive.',
  });
}

/** The globs of `--key`; none means all keys. @throws Fault `usage.invalid` when one matches none of these names */
export function keyGlobs(context: Context, names: readonly string[]): readonly NameGlob[] {
  const globs = texts(context.given, 'key');
  refuseUnmatched(globs.filter((glob) => !names.some((name) => matchesAnyGlob([glob], name))));
  return globs;
}

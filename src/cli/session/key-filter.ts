import { matchesAnyGlob, type NameGlob } from '../../domain/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { texts } from '../program/option.ts';

/** Warns of globs of `--key` that match no key: misspelt, they would look like an account with nothing to do. */
export function warnUnmatched(context: Context, globs: readonly NameGlob[]): void {
  for (const glob of globs) {
    context.print(`${context.paint.err.change('warning')}: --key "${printable(glob)}" matches no key.`);
  }
}

/** The globs of `--key`; none means all keys. Warns of each that matches none of these names. */
export function keyGlobs(context: Context, names: readonly string[]): readonly NameGlob[] {
  const globs = texts(context.given, 'key');
  warnUnmatched(
    context,
    globs.filter((glob) => !names.some((name) => matchesAnyGlob([glob], name))),
  );
  return globs;
}

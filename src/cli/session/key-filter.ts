import { matchesAnyGlob, type NameGlob } from '../../domain/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { texts } from '../program/option.ts';

/**
 * The globs of `--key`; none means all keys. One that matches none of these names is told: a misspelt one would
 * otherwise look like an account on which nothing is to be done.
 */
export function keyGlobs(context: Context, names: readonly string[]): readonly NameGlob[] {
  const globs = texts(context.given, 'key');
  for (const glob of globs) {
    if (names.some((name) => matchesAnyGlob([glob], name))) continue;
    context.say(`${context.paint.err.change('warning')}: --key "${printable(glob)}" matches no key.`);
  }
  return globs;
}

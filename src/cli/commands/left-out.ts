import type { LeftOut } from '../../manifest/index.ts';
import { outdent } from '../output/layout/columns.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';

/** Prints what a language cannot represent, which the written text has in comments. */
export function reportLeftOut({ print, width }: Context, leftOut: readonly LeftOut[]): void {
  for (const { key, what } of leftOut) {
    const line = `${key === undefined ? '' : `${quoted(key)}: `}${printable(what)}`;
    for (const part of outdent(line, width.err)) print(part);
  }
}

import type { LeftOut } from '../../manifest/index.ts';
import { outdent } from '../output/layout/columns.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';

/** Tells whoever runs the command what stands in the text as comments for whoever reads it later. */
export function tellLeftOut({ say, width }: Context, leftOut: readonly LeftOut[]): void {
  for (const { key, what } of leftOut) {
    const line = `${key === undefined ? '' : `${quoted(key)}: `}${printable(what)}`;
    for (const part of outdent(line, width.err)) say(part);
  }
}

import { resolve } from 'node:path';
import { asFault, type Diagnostic, Fault, visibleJson } from '../../domain/index.ts';
import { renderFault } from '../output/fault.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { printable } from '../output/layout/printable.ts';
import { type Context, kindOf, type Result } from './command.ts';
import { text } from './option.ts';

/** The text of a result in the requested format. */
export function resultText(context: Context, result: Result, diagnostics: readonly Diagnostic[]): string {
  if (context.format === 'json') return `${visibleJson(envelopeOf(kindOf(context.command), result, diagnostics))}\n`;
  // A program that reads a secret takes every byte of it.
  if (context.format === 'raw') return result.text;
  return result.text === '' || result.text.endsWith('\n') ? result.text : `${result.text}\n`;
}

/** The width of a table. Only a terminal cuts names short: what reads a pipe or a file wants them whole. */
export const tableWidth = ({ io, width, given }: Context): number =>
  io.stdout.isTTY === true && text(given, 'out') === undefined ? width.out : Number.POSITIVE_INFINITY;

/** Source text with a mask in it would be applied as it is. */
const refuseToken = (): Fault =>
  new Fault('plan.holds-credential', 'The result was not written: a setting of a live key contains the access token.', {
    hint: 'Replace the setting at the gateway, and replace the token: everyone who lists the keys has seen it.',
  });

/**
 * Writes a result to `--out`, completely or not at all, or to standard output. A fault is also written to standard
 * error. A result goes to standard output when its file cannot be written; source text does not.
 *
 * @returns the fault of that file
 * @throws Fault `file.unwritable`
 */
export async function deliver(
  context: Context,
  result: Result,
  diagnostics: readonly Diagnostic[],
): Promise<Fault | undefined> {
  let lost: Fault | undefined;
  const { io, paint, width, given } = context;
  if (!result.delivered) {
    const own = resultText(context, result, diagnostics);
    const written = context.mask(own);
    if (context.command.isSource && written !== own) throw refuseToken();
    const file = context.command.ownsOut ? undefined : text(given, 'out');
    if (file === undefined) io.stdout.write(written);
    else {
      // Most runs write to standard output: the program starts without the room.
      const { writePrivately, writeWhole } = await import('../../disk/index.ts');
      const write = context.command.isSource ? writeWhole : writePrivately;
      lost = await write(resolve(io.cwd, file), written).then(
        () => undefined,
        (thrown: unknown) => {
          if (context.command.isSource) throw thrown;
          return asFault(thrown);
        },
      );
      if (lost === undefined) context.print(`Wrote ${printable(file)}.`);
      else {
        io.stdout.write(written);
        context.print(renderFault(lost, paint.err, width.err));
      }
    }
  }
  if (result.fault) context.print(renderFault(result.fault, paint.err, width.err));
  return lost;
}

import { Fault } from '../../domain/index.ts';
import { wrap } from '../output/layout/columns.ts';
import type { Context } from '../program/command.ts';
import { has } from '../program/option.ts';
import { canAsk, type Io } from './io.ts';

/** One line from the person; undefined when the input ended. Without raw mode, so that Ctrl-C stays a signal. */
async function readLine(io: Io, signal: AbortSignal): Promise<string | undefined> {
  // Output after Ctrl-C must not continue the line of the question.
  const newLine = (): unknown => io.stderr.write('\n');
  signal.addEventListener('abort', newLine, { once: true });
  try {
    const { createInterface } = await import('node:readline');
    const reader = createInterface({ input: io.stdin, terminal: false });
    return await new Promise((resolve) => {
      reader.once('line', (line) => {
        resolve(line);
        reader.close();
      });
      reader.once('close', () => resolve(undefined));
    });
  } finally {
    signal.removeEventListener('abort', newLine);
  }
}

export interface Question {
  /** The consequences, ending in a full stop. */
  readonly about: string;
  /** The word that must be typed. */
  readonly expect: string;
}

/** Shows a question, and returns whether the expected word was typed. False where there is no terminal to ask on. */
export async function ask(context: Context, { about, expect }: Question): Promise<boolean> {
  if (!canAsk(context.io)) return false;
  context.print(wrap(about, context.width.err).join('\n'));
  context.io.stderr.write(`Type ${context.paint.err.strong(expect)} to continue: `);
  const answer = await readLine(context.io, context.interruption.signal);
  if (answer === undefined) context.print('');
  return answer?.trim() === expect;
}

/**
 * Continues only when somebody agreed: with `--yes`, or by typing the expected word on a terminal.
 *
 * @throws Fault `guard.unconfirmed`
 */
export async function confirm(context: Context, question: Question): Promise<void> {
  if (has(context.given, 'yes') || (await ask(context, question))) return;
  if (canAsk(context.io)) throw new Fault('guard.unconfirmed', 'Not confirmed: nothing was changed.');
  throw new Fault(
    'guard.unconfirmed',
    `${question.about} Confirmation is required, but there is no terminal to ask on.`,
    {
      hint: 'Nothing was changed. Pass --yes to continue without confirmation.',
    },
  );
}

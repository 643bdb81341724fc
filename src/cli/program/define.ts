import type { Command, Format } from './command.ts';
import { everyCommand, YES } from './flags.ts';

type CommandDefinition = Omit<Command, 'formats' | 'options'> & {
  readonly formats?: readonly Format[];
  readonly options?: Command['options'];
};

/** A command with what every command has; one that changes the account also has `--yes`. */
export function define({ formats = ['text', 'json'], options = [], ...rest }: CommandDefinition): Command {
  const asking = rest.effect === 'reads' ? [] : [YES];
  return { ...rest, formats, options: [...options, ...asking, ...everyCommand(formats)] };
}

import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Command, CommandTree } from './command.ts';
import type { GivenFlags, Option } from './option.ts';

/** A command with the words that it was given. */
export interface CommandRequest {
  readonly kind: 'command';
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly given: GivenFlags;
}

const configOf = (options: readonly Option[]): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    options.map(({ flag, short, value }) => [
      flag,
      { ...(value === undefined ? { type: 'boolean' } : { type: 'string', multiple: true }), ...(short && { short }) },
    ]),
  );

/** Returns the flags and the other words; undefined if any flag is unknown, or has no value or one that it does not take. */
function tryReadWords(options: readonly Option[], words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: configOf(options), allowPositionals: true });
  } catch {
    return undefined;
  }
}

/** Is this the value of a flag as it was parsed: not empty, and one of its choices? */
function takes({ choices }: Option, value: true | readonly string[]): boolean {
  return value === true || value.every((each) => each !== '' && (choices === undefined || choices.includes(each)));
}

/** Are these the arguments of the command: none missing, none too many, and each one of its choices? */
function fits({ arguments: declared = [] }: Command, words: readonly string[]): boolean {
  const least = declared.filter(({ optional }) => !optional).length;
  const isOpen = declared.at(-1)?.variadic === true;
  if (words.length < least || (!isOpen && words.length > declared.length)) return false;
  return words.every((word, index) => {
    const { choices } = declared[index] ?? declared.at(-1) ?? {};
    return word !== '' && (choices === undefined || choices.includes(word));
  });
}

/**
 * Reads a command line that names a command, its flags and its arguments exactly, as most do. Returns undefined for any other:
 * help and mistakes. Loading the parser that reads those, and explains what is wrong, takes a tenth of a start.
 */
export function tryReadExactly(tree: CommandTree, argv: readonly string[]): CommandRequest | undefined {
  const [command, ...others] = tree.commands.filter(({ path }) => path.every((word, i) => argv[i] === word));
  if (!command || others.length > 0) return undefined;
  const read = tryReadWords(command.options, argv.slice(command.path.length));
  if (!read || !fits(command, read.positionals)) return undefined;
  const values = new Map(Object.entries(read.values));
  const given = new Map<string, true | readonly string[]>();
  for (const option of command.options) {
    const value = values.get(option.flag);
    if (value === undefined) continue;
    const texts = value === true || [value].flat().map(String);
    if (!takes(option, texts)) return undefined;
    given.set(option.flag, texts);
  }
  return { kind: 'command', command, arguments: read.positionals, given };
}

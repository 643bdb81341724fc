import type { Command, CommandTree } from './command.ts';
import type { GivenFlags, Option } from './option.ts';

/** A command with the words that it was given. */
export interface CommandRequest {
  readonly kind: 'command';
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly given: GivenFlags;
}

/** The words of a command line behind its command. */
interface Words {
  readonly flags: ReadonlyMap<string, true | readonly string[]>;
  readonly operands: readonly string[];
}

const isFlag = (word: string): boolean => word.startsWith('-');

/** Returns the option that a word names exactly, with the value that follows its `=`. */
function optionNamed(options: readonly Option[], word: string): { option: Option; attached?: string } | undefined {
  const [, name = '', , attached] = /^--([^=]+)(=(.+))?$/su.exec(word) ?? [];
  const option = options.find(({ flag, short }) => flag === name || (short !== undefined && word === `-${short}`));
  return option && { option, ...(attached === undefined ? {} : { attached }) };
}

const takes = ({ choices }: Option, value: string | undefined): value is string =>
  value !== undefined && value !== '' && !isFlag(value) && (choices === undefined || choices.includes(value));

function readWords(options: readonly Option[], words: readonly string[]): Words | undefined {
  const flags = new Map<string, true | readonly string[]>();
  const operands: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '') return undefined;
    if (!isFlag(word)) {
      operands.push(word);
      continue;
    }
    const { option, attached } = optionNamed(options, word) ?? {};
    if (!option || (option.value === undefined && attached !== undefined)) return undefined;
    if (option.value === undefined) {
      flags.set(option.flag, true);
      continue;
    }
    if (attached === undefined) at += 1;
    const value = attached ?? words[at];
    if (!takes(option, value)) return undefined;
    const earlier = flags.get(option.flag);
    flags.set(option.flag, [...(Array.isArray(earlier) ? earlier : []), value]);
  }
  return { flags, operands };
}

/** Are these the arguments of the command: none missing, none too many, and each one of its choices? */
function fits({ arguments: declared = [] }: Command, operands: readonly string[]): boolean {
  const least = declared.filter(({ optional }) => !optional).length;
  const isOpen = declared.at(-1)?.variadic === true;
  if (operands.length < least || (!isOpen && operands.length > declared.length)) return false;
  return operands.every((operand, index) => {
    const { choices } = declared[index] ?? declared.at(-1) ?? {};
    return choices === undefined || choices.includes(operand);
  });
}

/**
 * Reads a command line that names a command, its flags and its arguments exactly, as most do. Returns undefined for any other:
 * help, mistakes, combined letters, values that begin with a dash. The parser that reads those, and words what is wrong with them, takes a
 * tenth of a start to load.
 */
export function tryReadExactly(tree: CommandTree, argv: readonly string[]): CommandRequest | undefined {
  const [command, ...others] = tree.commands.filter(({ path }) => path.every((word, i) => argv[i] === word));
  if (!command || others.length > 0) return undefined;
  const words = readWords(command.options, argv.slice(command.path.length));
  if (!words || !fits(command, words.operands)) return undefined;
  const given = command.options.flatMap(({ flag }) => {
    const value = words.flags.get(flag);
    return value === undefined ? [] : [[flag, value] as const];
  });
  return { kind: 'command', command, arguments: words.operands, given: new Map(given) };
}

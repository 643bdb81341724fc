import { Argument, Command as Commander, CommanderError, Option as CommanderOption } from 'commander';
import { Fault } from '../../domain/index.ts';
import { suggestion } from '../../source/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Command, CommandTree, Example } from './command.ts';
import { childrenOf } from './completion/words.ts';
import type { CommandRequest } from './exact-words.ts';
import type { GivenFlags, Option } from './option.ts';

/** A parsed command line. */
export type Request =
  | CommandRequest
  /** Help or the version: text for standard output. */
  | { readonly kind: 'text'; readonly text: string };

const flagsOf = (option: Option): string =>
  `${option.short ? `-${option.short}, ` : ''}--${option.flag}${option.value ? ` <${option.value}>` : ''}`;

function optionOf(option: Option): CommanderOption {
  const variable = option.variable ? ` [${option.variable}]` : '';
  const made = new CommanderOption(flagsOf(option), option.summary + variable);
  if (option.group) made.helpGroup(`${option.group}:`);
  if (!option.value) return made;
  return made.argParser((value: string, earlier: unknown) => {
    const isFile = option.completes === 'file' && value.endsWith('.json');
    if (option.choices && !option.choices.includes(value) && !isFile) {
      throw new CommanderError(
        1,
        'keyplane.choice',
        `Invalid value ${JSON.stringify(value)} for --${option.flag}: expected one of ${option.choices.join(', ')}`,
      );
    }
    return [...(Array.isArray(earlier) ? earlier : []), value];
  });
}

function givenOf(options: readonly Option[], parsed: Commander): GivenFlags {
  const given = new Map<string, true | readonly string[]>();
  const values = parsed.opts() as Record<string, unknown>;
  for (const option of options) {
    const made = new CommanderOption(flagsOf(option));
    const value = values[made.attributeName()];
    // Commander turns `--no-color` into `color`, true unless it was given.
    if (made.negate ? value === false : value === true) given.set(option.flag, true);
    else if (Array.isArray(value)) given.set(option.flag, value.map(String));
  }
  return given;
}

function exampleText(examples: readonly Example[]): string {
  if (examples.length === 0) return '';
  return `\nExamples:\n${examples.map(({ line, about }) => `  $ ${line}\n      ${about}`).join('\n')}\n`;
}

function addLeaf(parent: Commander, command: Command, done: (request: Request) => void): void {
  // Flags after the name of an inner command are that command's.
  const leaf = new Commander(command.path.at(-1) ?? '').enablePositionalOptions();
  leaf.description([`${command.summary}.`, ...(command.details ?? [])].join('\n\n')).summary(command.summary);
  for (const argument of command.arguments ?? []) {
    const name = argument.variadic ? `${argument.name}...` : argument.name;
    const made = new Argument(argument.optional ? `[${name}]` : `<${name}>`, argument.summary);
    leaf.addArgument(argument.choices ? made.choices([...argument.choices]) : made);
  }
  for (const option of command.options) leaf.addOption(optionOf(option));
  leaf.addHelpText('after', exampleText(command.examples));
  leaf.action(() => {
    done({ kind: 'command', command, arguments: leaf.args, given: givenOf(command.options, leaf) });
  });
  parent.addCommand(leaf);
}

function familyOf(root: Commander, name: string, summary: string): Commander {
  const existing = root.commands.find((child) => child.name() === name);
  if (existing) return existing;
  const made = new Commander(name).description(summary);
  root.addCommand(made);
  return made;
}

/** Making the options of all commands takes longer than parsing: the one that is named is enough. Their help needs all. */
function commandsFor({ commands }: CommandTree, argv: readonly string[]): readonly Command[] {
  const named = commands.filter(({ path }) => path.every((word, i) => argv[i] === word));
  return named.length === 1 ? named : commands;
}

/** The settings that commander does not hand down to commands that are added. */
function settle(command: Commander, write: (text: string) => void, width: number): void {
  command.exitOverride();
  command.showSuggestionAfterError();
  command.configureHelp({ helpWidth: width, showGlobalOptions: false });
  command.configureOutput({ writeOut: write, writeErr: write, getOutHelpWidth: () => width, outputError: () => {} });
  command.addHelpOption(
    new CommanderOption('-h, --help', 'show this help').helpGroup(command.commands.length > 0 ? 'Options:' : 'Output:'),
  );
  if (command.commands.length > 0) command.helpCommand(false);
  for (const child of command.commands) settle(child, write, width);
}

/** The library writes `error: unknown option '--x'`; here a fault is a sentence. */
function usageFault(message: string, hint: string): Fault {
  const text = message.replace(/^error: /, '').replace(/\n/g, ' ');
  const sentence = text.startsWith('keyplane') ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return new Fault('usage.invalid', /[.?)]$/.test(sentence) ? sentence : `${sentence}.`, { hint });
}

/** An unknown option is named without its value, which may be a credential. */
const withoutValue = (message: string): string =>
  message.replace(/^(error: unknown option '[^='\n]*)=.*'(?=\n|$)/s, "$1'");

/** A bare `keyplane` or `keyplane keys`. */
function missingCommand(tree: CommandTree, argv: readonly string[]): Fault {
  const family = argv.find((word) => word in tree.families);
  if (!family) {
    const hint = `\`${tree.name} --help\` lists the commands; \`${tree.name} init\` creates a first manifest.`;
    return usageFault(`${tree.name}: missing command`, hint);
  }
  const names = childrenOf(tree, { path: [family] });
  const words = `${tree.name} ${family}`;
  return usageFault(`${words}: missing command`, `Use one of ${names.join(', ')}. \`${words} --help\` describes them.`);
}

/** The command that begins a command line; of `usage` and `usage log`, the longer one. */
const commandAt = (tree: CommandTree, argv: readonly string[]): Command | undefined =>
  tree.commands
    .filter(({ path }) => path.every((word, i) => argv[i] === word))
    .sort((a, b) => b.path.length - a.path.length)[0];

/** The names that commands of Keyplane have in other programs. */
const COMMANDS_ELSEWHERE: Readonly<Record<string, string>> = {
  ls: 'keys list',
  preview: 'plan',
  status: 'drift',
};

/** The commands that may be meant by the first word: those of a family, without its name, or of another program. */
function tryNameMeant(tree: CommandTree, first: string): string | undefined {
  const inner = tree.commands.filter(({ path }) => path[1] === first).map(({ path }) => path.join(' '));
  const meant = Object.hasOwn(COMMANDS_ELSEWHERE, first) ? [COMMANDS_ELSEWHERE[first]] : inner;
  return meant.length === 0 ? undefined : meant.map((words) => `\`${tree.name} ${words}\``).join(' or ');
}

/** Advice on a command line that no command begins: the commands that exist, or the place for the flags before one. */
function whereCommandsAre(tree: CommandTree, argv: readonly string[]): string {
  const [first = ''] = argv;
  const misplaced = first.startsWith('-') && argv.map((_, i) => commandAt(tree, argv.slice(i))).find(Boolean);
  if (misplaced) {
    const [flag = ''] = first.split('=');
    return `Write the flags after the command: \`${[tree.name, ...misplaced.path].join(' ')} ${printable(flag)}\`.`;
  }
  if (Object.hasOwn(tree.families, first)) return `\`${tree.name} ${first} --help\` lists its commands.`;
  const meant = tryNameMeant(tree, first);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  if (first === '-v') return `\`${tree.name} --version\` shows the version.`;
  return `\`${tree.name} --help\` lists the commands, and \`${tree.name} COMMAND --help\` lists the flags of a command.`;
}

/** The words with which other programs ask for what a flag of Keyplane does. */
const ELSEWHERE: Readonly<Record<string, { readonly flag: string; readonly hint: string }>> = {
  '--dry-run': { flag: 'prune-anyway', hint: '`keyplane plan` shows what an apply would change.' },
  '--auto-approve': { flag: 'yes', hint: 'To skip the confirmation, pass --yes.' },
  '-y': { flag: 'yes', hint: 'To skip the confirmation, pass --yes.' },
  '--json': { flag: 'format', hint: 'For JSON, pass --format json.' },
  '-v': { flag: 'verbose', hint: 'To log every request, pass --verbose.' },
  '-o': { flag: 'out', hint: 'For a file, pass --out FILE; for another format, --format FORMAT.' },
};

/** Advice on the word that was rejected; undefined: there is none. */
function adviceOn(tree: CommandTree, named: Command, argv: readonly string[], refusal: string): string | undefined {
  const { input, options, path } = named;
  const has = (name: string): boolean => options.some(({ flag }) => flag === name);
  if (refusal === 'commander.excessArguments') {
    const inner = suggestion(argv[path.length] ?? '', childrenOf(tree, named));
    if (inner !== undefined) return `Did you mean \`${[tree.name, ...path, inner].join(' ')}\`?`;
    if (input) return `Pass ${input} on standard input.`;
    return has('file') ? 'To use a manifest, pass -f FILE.' : undefined;
  }
  const known = argv.map((word) => ELSEWHERE[word]).find((each) => each !== undefined && has(each.flag));
  return refusal === 'commander.unknownOption' ? known?.hint : undefined;
}

/** Points to the help of the command that a rejected command line names, if it names one. */
function whereToLook(tree: CommandTree, argv: readonly string[], refusal: string): string {
  const named = commandAt(tree, argv);
  if (!named) return whereCommandsAre(tree, argv);
  const help = `\`${[tree.name, ...named.path].join(' ')} --help\` lists its arguments and flags.`;
  const advice = adviceOn(tree, named, argv, refusal);
  return advice === undefined ? help : `${advice} ${help}`;
}

/** `keyplane help plan` and `keyplane keys help list` are what many type for `--help`. Of words that name nothing there is none. */
function withHelp(tree: CommandTree, argv: readonly string[]): readonly string[] {
  const [first = '', second] = argv;
  const at = first === 'help' ? 0 : 1;
  if (at === 1 && !(second === 'help' && Object.hasOwn(tree.families, first))) return argv;
  const words = argv.filter((_, i) => i !== at);
  const isFamily = Object.hasOwn(tree.families, words.join(' '));
  const isNamed = words.length === 0 || isFamily || commandAt(tree, words) !== undefined;
  return isNamed ? [...words, '--help'] : words;
}

/**
 * Reads a command line (without program and script) against the tree.
 *
 * @throws Fault `usage.invalid`
 */
export function parseCommandLine(tree: CommandTree, words: readonly string[], width: number): Request {
  const argv = withHelp(tree, words);
  let request: Request | undefined;
  let written = '';
  const root = new Commander(tree.name).description(tree.summary).enablePositionalOptions();
  root.option('-V, --version', 'show the version');
  for (const command of commandsFor(tree, argv)) {
    const [family = '', leaf] = command.path;
    const parent = leaf === undefined ? root : familyOf(root, family, tree.families[family] ?? '');
    addLeaf(parent, command, (made) => {
      request = made;
    });
  }
  settle(root, (chunk) => (written += chunk), width);
  if (['--version', '-V', 'version'].includes(argv[0] ?? '')) return { kind: 'text', text: `${tree.version()}\n` };
  try {
    root.parse([...argv], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.code === 'commander.helpDisplayed') return { kind: 'text', text: written };
    if (thrown.code === 'commander.help') throw missingCommand(tree, argv);
    throw usageFault(withoutValue(thrown.message), whereToLook(tree, argv, thrown.code));
  }
  if (!request) throw missingCommand(tree, argv);
  return request;
}

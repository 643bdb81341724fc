import type { Command, CommandTree } from '../command.ts';

/** The completions at one place of the command tree. */
export interface Branch {
  /** `''` for the program itself, `keys` for a family. */
  readonly family: string;
  readonly children: readonly { readonly name: string; readonly summary: string; readonly leaf: boolean }[];
}

/** The program and its families, with what can follow each. */
export function branchesOf(tree: CommandTree): readonly Branch[] {
  const families = Object.entries(tree.families);
  const top = tree.commands.filter(({ path }) => path.length === 1);
  const root: Branch = {
    family: '',
    children: [
      ...top.map(({ path, summary }) => ({ name: path[0] ?? '', summary, leaf: true })),
      ...families
        .filter(([name]) => !top.some(({ path }) => path[0] === name))
        .map(([name, summary]) => ({ name, summary, leaf: false })),
    ],
  };
  const others = families.map(([family]) => ({
    family,
    children: tree.commands
      .filter(({ path }) => path.length === 2 && path[0] === family)
      .map(({ path, summary }) => ({ name: path[1] ?? '', summary, leaf: true })),
  }));
  return [root, ...others];
}

/** The words that may follow a command that is a family too, such as `log` after `usage`; none for other commands. */
export const childrenOf = (tree: CommandTree, { path: [first, second] }: Pick<Command, 'path'>): readonly string[] =>
  second !== undefined
    ? []
    : tree.commands.flatMap(({ path }) => (path[0] === first && path[1] !== undefined ? [path[1]] : []));

/** Is there a command with the name of this family? */
export const isCommand = (tree: CommandTree, family: string): boolean =>
  tree.commands.some(({ path }) => path.length === 1 && path[0] === family);

/** `keys list` */
export const wordsOf = (command: Pick<Command, 'path'>): string => command.path.join(' ');

/** All spellings of a flag. */
export const spellings = (option: { readonly flag: string; readonly short?: string }): readonly string[] => [
  `--${option.flag}`,
  ...(option.short ? [`-${option.short}`] : []),
];

/** The flags that belong to no single command. */
export const ROOT_FLAGS = [
  { flag: 'help', short: 'h', summary: 'show this help', everywhere: true },
  { flag: 'version', short: 'V', summary: 'show the version', everywhere: false },
] as const;

/** The flags where a command is expected: of the program all, of a family `--help`. */
export const flagsAt = (family: string): readonly (typeof ROOT_FLAGS)[number][] =>
  ROOT_FLAGS.filter(({ everywhere }) => everywhere || family === '');

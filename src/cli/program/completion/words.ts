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
      ...families.map(([name, summary]) => ({ name, summary, leaf: false })),
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

/** `keys list` */
export const wordsOf = (command: Pick<Command, 'path'>): string => command.path.join(' ');

/** All spellings of a flag. */
export const spellings = (option: { readonly flag: string; readonly short?: string }): readonly string[] => [
  `--${option.flag}`,
  ...(option.short ? [`-${option.short}`] : []),
];

import type { Command, CommandTree } from '../command.ts';
import { branchesOf, childrenOf, ROOT_FLAGS } from './words.ts';

const quote = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** The condition under which words of this command are completed. */
function seen(tree: CommandTree, command: Command): string {
  const [first = '', second] = command.path;
  const inner = childrenOf(tree, command);
  if (inner.length > 0)
    return `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${inner.join(' ')}`;
  if (second !== undefined) return `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
  // A word like `list` after a family must not pass for a command of the program.
  const families = Object.keys(tree.families).join(' ');
  return `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${families}`;
}

function leafLines(tree: CommandTree, command: Command): readonly string[] {
  const when = `complete -c ${tree.name} -n ${quote(seen(tree, command))}`;
  const options = command.options.map(({ flag, short, value, choices, completes, summary }) => {
    const what = !value ? '' : choices ? ` -x -a ${quote(choices.join(' '))}` : completes ? ' -r -F' : ' -x';
    return `${when} -l ${flag}${short ? ` -s ${short}` : ''}${what} -d ${quote(summary)}`;
  });
  const positionals = (command.arguments ?? []).flatMap(({ choices, completes }) => {
    if (choices) return [`${when} -a ${quote(choices.join(' '))}`];
    return completes === 'file' ? [`${when} -F`] : [];
  });
  return [...options, ...positionals];
}

/** A completion for fish. */
export function fishCompletion(tree: CommandTree): string {
  const [root, ...families] = branchesOf(tree);
  const top = (root?.children ?? []).map(
    ({ name, summary }) => `complete -c ${tree.name} -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
  );
  const flags = ROOT_FLAGS.map(({ flag, short, summary, everywhere }) => {
    const when = everywhere ? '' : ' -n __fish_use_subcommand';
    return `complete -c ${tree.name}${when} -l ${flag} -s ${short} -d ${quote(summary)}`;
  });
  const inner = families.flatMap(({ family, children }) => {
    const names = children.map(({ name }) => name).join(' ');
    const when = quote(`__fish_seen_subcommand_from ${family}; and not __fish_seen_subcommand_from ${names}`);
    return children.map(({ name, summary }) => `complete -c ${tree.name} -n ${when} -a ${name} -d ${quote(summary)}`);
  });
  return [
    `# fish completion for ${tree.name}; load with: ${tree.name} completion fish | source`,
    `complete -c ${tree.name} -f`,
    ...top,
    ...flags,
    ...inner,
    ...tree.commands.flatMap((command) => leafLines(tree, command)),
    '',
  ].join('\n');
}

import type { CommandTree } from '../command.ts';
import { branchesOf, childrenOf, flagsAt, isCommand, spellings, wordsOf } from './words.ts';

const OPENING = (name: string): string => `# bash completion for ${name}; load with: eval "$(${name} completion bash)"
_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" word
  local -a words
  words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  for word in "\${words[@]}"; do
    case "$path $word" in`;

const CLOSING = (name: string): string => `}
complete -F _${name} ${name}
`;

const reply = (words: readonly string[]): string => `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur"))`;

const FILES = 'COMPREPLY=($(compgen -f -- "$cur"))';

function walkCases(tree: CommandTree): readonly string[] {
  return branchesOf(tree).flatMap(({ family, children }) =>
    children.map(({ name }) => `      "${family} ${name}") path="${family === '' ? name : `${family} ${name}`}" ;;`),
  );
}

function flagCases(tree: CommandTree): readonly string[] {
  return tree.commands.flatMap((command) =>
    command.options.flatMap((option) => {
      if (!option.value) return [];
      const act = option.choices ? reply(option.choices) : option.completes ? FILES : 'COMPREPLY=()';
      return spellings(option).map((flag) => `    "${wordsOf(command)} ${flag}") ${act}; return ;;`);
    }),
  );
}

function wordCases(tree: CommandTree): readonly string[] {
  const branches = branchesOf(tree)
    .filter(({ family }) => !isCommand(tree, family))
    .map(({ family, children }) => {
      const flags = reply(flagsAt(family).map(({ flag }) => `--${flag}`));
      return `    "${family}") if [[ $cur == -* ]]; then ${flags}; else ${reply(children.map(({ name }) => name))}; fi ;;`;
    });
  const leaves = tree.commands.map((command) => {
    const flags = command.options.flatMap(spellings);
    const argument = command.arguments?.[0];
    const inner = childrenOf(tree, command);
    const choices = argument?.choices ?? (inner.length > 0 ? inner : undefined);
    const bare = choices ? reply(choices) : argument?.completes ? FILES : 'COMPREPLY=()';
    return `    "${wordsOf(command)}") if [[ $cur == -* ]]; then ${reply([...flags, '--help'])}; else ${bare}; fi ;;`;
  });
  return [...branches, ...leaves];
}

/** A completion for bash 3.2 and newer. */
export function bashCompletion(tree: CommandTree): string {
  return [
    OPENING(tree.name),
    ...walkCases(tree),
    '    esac',
    '  done',
    '  case "$path $prev" in',
    ...flagCases(tree),
    '  esac',
    '  case "$path" in',
    ...wordCases(tree),
    '  esac',
    CLOSING(tree.name),
  ].join('\n');
}

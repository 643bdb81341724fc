import type { Command, CommandTree } from '../command.ts';
import type { Option } from '../option.ts';
import { branchesOf, childrenOf, flagsAt, isCommand, spellings, wordsOf } from './words.ts';

/** Text inside single quotes, in which brackets and colons mean something to `_arguments`. */
const described = (text: string): string => text.replace(/'/g, '’').replace(/[[\]]/g, '\\$&').replace(/:/g, '\\:');

function valueSpec(option: Option): string {
  if (!option.value) return '';
  if (option.choices) return `:${option.value}:(${option.choices.join(' ')})`;
  return `:${option.value}:${option.completes === 'file' ? '_files' : ''}`;
}

function optionSpecs(option: Option): readonly string[] {
  const often = option.repeatable ? '*' : '';
  return spellings(option).map((flag) => `'${often}${flag}[${described(option.summary)}]${valueSpec(option)}'`);
}

function argumentSpecs({ arguments: positionals = [] }: Command): readonly string[] {
  return positionals.map(({ name, choices, completes, variadic }) => {
    const what = choices ? `(${choices.join(' ')})` : completes === 'file' ? '_files' : '';
    return `'${variadic ? '*' : ''}:${name}:${what}'`;
  });
}

function leafCase(tree: CommandTree, command: Command): string {
  const inner = childrenOf(tree, command);
  const words = inner.length > 0 ? [`':command:(${inner.join(' ')})'`] : [];
  const help = flagsAt(wordsOf(command)).map(({ flag, summary }) => `'--${flag}[${summary}]'`);
  const specs = [...command.options.flatMap(optionSpecs), ...help, ...argumentSpecs(command), ...words];
  return `    '${wordsOf(command)}')\n      _arguments ${specs.join(' \\\n        ')}\n      ;;`;
}

/** A completion for zsh, to be put into a folder of `fpath` or loaded with eval. */
export function zshCompletion(tree: CommandTree): string {
  const { name } = tree;
  const lists = branchesOf(tree)
    .filter(({ family }) => !isCommand(tree, family))
    .map(({ family, children }) => {
      const entries = children.map((child) => `'${child.name}:${described(child.summary)}'`);
      const flags = flagsAt(family).map(({ flag, summary }) => `'--${flag}:${summary}'`);
      return `    '${family}')
      local -a commands=(${entries.join(' \\\n        ')})
      local -a flags=(${flags.join(' ')})
      if [[ $PREFIX == -* ]]; then _describe -o flag flags; else _describe command commands; fi
      ;;`;
    });
  const families = Object.keys(tree.families)
    .filter((family) => !isCommand(tree, family))
    .join('|');
  const both = tree.commands.flatMap((command) => {
    const inner = childrenOf(tree, command);
    const word = command.path[0] ?? '';
    return inner.length === 0
      ? []
      : [
          `      ${word}) case $words[3] in ${inner.join('|')}) if (( CURRENT > 3 )); then at="$at $words[3]"; depth=3; fi ;; esac ;;`,
        ];
  });
  return `#compdef ${name}
# zsh completion for ${name}; load with: eval "$(${name} completion zsh)"
_${name}() {
  local depth=1 at=''
  if (( CURRENT > 2 )); then
    at=$words[2]
    depth=2
    case $at in
      ${families}) if (( CURRENT > 3 )); then at="$at $words[3]"; depth=3; fi ;;
${both.join('\n')}
    esac
  fi
  shift $((depth - 1)) words
  (( CURRENT -= depth - 1 ))
  case $at in
${lists.join('\n')}
${tree.commands.map((command) => leafCase(tree, command)).join('\n')}
  esac
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

import { EXIT } from '../../domain/index.ts';
import type { Context, Result, Tree } from '../command.ts';
import { bashCompletion } from '../render/completion-bash.ts';
import { fishCompletion } from '../render/completion-fish.ts';
import { zshCompletion } from '../render/completion-zsh.ts';
import type { Shell } from '../shells.ts';

const SCRIPTS: Readonly<Record<Shell, (tree: Tree) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** A completion script, made from the tree of commands. */
export async function completionAction(context: Context): Promise<Result> {
  const script = SCRIPTS[context.arguments[0] as Shell](context.tree);
  return { exit: EXIT.done, data: { script }, text: script };
}

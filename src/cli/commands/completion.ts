import { EXIT } from '../output/exit-codes.ts';
import type { CommandTree, Context, Result } from '../program/command.ts';
import { bashCompletion } from '../program/completion/bash.ts';
import { fishCompletion } from '../program/completion/fish.ts';
import type { Shell } from '../program/completion/shells.ts';
import { zshCompletion } from '../program/completion/zsh.ts';

const SCRIPTS: Readonly<Record<Shell, (tree: CommandTree) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** A completion script, made from the tree of commands. */
export async function completionAction(context: Context): Promise<Result> {
  const script = SCRIPTS[context.arguments[0] as Shell](context.tree);
  return { exit: EXIT.done, data: { script }, text: script };
}

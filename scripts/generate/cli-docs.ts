import { renderCliDocs, TREE, VARIABLES } from '../../src/cli/index.ts';
import type { GeneratedFiles } from './generated-files.ts';

/** Writes docs/cli.md from the command tree. */
export const generateCliDocs = (files: GeneratedFiles): void =>
  files.settle('docs/cli.md', renderCliDocs(TREE, VARIABLES));

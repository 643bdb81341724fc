// Writes docs/cli.md from the command tree; with --check only compares. Needs a build.
import { renderCliDocs, TREE, VARIABLES } from '../dist/src/cli/index.js';
import { settle } from './generated-file.mjs';

settle('docs/cli.md', renderCliDocs(TREE, VARIABLES));

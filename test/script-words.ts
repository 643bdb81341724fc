import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './architecture/repository.ts';

const LOADER = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;

/** The built command line. */
export const PROGRAM = join(ROOT, 'dist/cli/main.js');

/** The words after `node` that run a TypeScript file of this repository, from any folder. */
export const scriptWords = (path: string): readonly string[] => ['--import', LOADER, join(ROOT, path)];

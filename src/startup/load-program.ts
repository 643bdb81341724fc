import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { CompiledCode } from './compiled-code.ts';

type Require = (id: string) => ReturnType<NodeJS.Require>;
type Import = (id: string) => Promise<unknown>;
interface LoadedFile {
  exports: unknown;
}
type ProgramFile = (
  exports: unknown,
  require: Require,
  load: Import,
  module: LoadedFile,
  file: string,
  folder: string,
) => void;

const HEAD = '(function(exports,require,__import,module,__filename,__dirname){';

/** A script has no `import()` of its own. */
const importOther: Import = (id) => import(id);

/** @throws the error of Node.js for an ES module that is missing */
function readProgram(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const lost = { code: 'ERR_MODULE_NOT_FOUND', url: pathToFileURL(file).href };
    throw Object.assign(new Error(`Cannot find module '${file}'`, { cause }), lost);
  }
}

/**
 * Loads a program of files in CommonJS, which the bundle has written into one folder. Each is compiled with what V8 kept of it.
 *
 * @param entry the name of its first file
 * @returns what that file exports
 */
export function loadProgram<T>(folder: string, entry: string, code: CompiledCode): T {
  const others = createRequire(join(folder, entry));
  const modules = new Map<string, LoadedFile>();
  const load: Require = (name) => {
    const found = modules.get(name);
    if (found) return found.exports;
    const file = join(folder, name);
    const text = readProgram(file);
    const cachedData = code.of(name, text);
    const script = new Script(`${HEAD}${text}\n})`, { filename: file, columnOffset: -HEAD.length, cachedData });
    code.add(name, text, script);
    const module: LoadedFile = { exports: {} };
    modules.set(name, module);
    const body: ProgramFile = script.runInThisContext();
    body(module.exports, need, importOther, module, file, folder);
    return module.exports;
  };
  const need: Require = (id) => (id.startsWith('./') ? load(id.slice(2)) : others(id));
  return load(entry);
}

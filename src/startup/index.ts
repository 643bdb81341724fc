export { type CompiledCode, openCompiledCode } from './compiled-code.ts';
export { loadProgram } from './load-program.ts';

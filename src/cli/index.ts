/**
 * The command line. `run` does what an argument list says, through an `Io`; `TREE` is every command as data.
 */
export type { Command, Effect, Example, Format, Tree } from './command.ts';
export type { Envelope } from './envelope.ts';
export type { Environment, InterruptSignal, Io, Output } from './io.ts';
export type { Argument, Option } from './option.ts';
export { parseCommandLine, type Request } from './program.ts';
export { renderCliDocs } from './render/cli-docs.ts';
export { run } from './run.ts';
export { VARIABLES } from './settings.ts';
export { TREE } from './tree.ts';

/**
 * The command line. `run` runs an argument list through an `Io`; `TREE` is every command as data.
 */

export { renderCliDocs } from './output/cli-docs.ts';
export { EXIT, EXIT_MEANINGS, EXIT_OF_FACT, EXIT_OF_FAULT, PRECEDENCE } from './output/exit-codes.ts';
export type { OutputEnvelope } from './output/json/envelope.ts';
export type { Command, CommandTree, Effect, Example, Format } from './program/command.ts';
export { parseCommandLine, type Request } from './program/command-line.ts';
export type { Argument, Option } from './program/option.ts';
export { run } from './program/run.ts';
export { TREE } from './program/tree.ts';
export type { Environment, InterruptSignal, Io, Output } from './session/io.ts';
export { VARIABLES } from './session/variables.ts';

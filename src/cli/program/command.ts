import type { Diagnostic, Fault, Json, Secret, UnixSeconds } from '../../domain/index.ts';
import type { ExitCode } from '../output/exit-codes.ts';
import type { Paint } from '../output/layout/paint.ts';
import type { Interruption } from '../session/interruption.ts';
import type { Io } from '../session/io.ts';
import type { Waits } from '../session/waits.ts';
import type { Argument, GivenFlags, Option } from './option.ts';

/** The effect of a command on the account: confirmation, help and documentation derive from it. */
export type Effect = 'reads' | 'writes' | 'destroys';

/** The format of a result. Each command has some of these; all but `json` are texts that the command renders itself. */
export const FORMATS = ['text', 'json', 'markdown', 'junit', 'tap', 'html'] as const;
/** Formats of single commands, in addition to those that every kind of report may have. */
const TABLE_FORMATS = ['csv', 'sarif'] as const;
/** Formats of secrets. */
const SECRET_FORMATS = ['raw', 'dotenv', 'kubernetes'] as const;
export const ALL_FORMATS = [...FORMATS, ...TABLE_FORMATS, ...SECRET_FORMATS] as const;
export type Format = (typeof ALL_FORMATS)[number];

/** The ending of a file that holds a report in each format. */
export const ENDINGS: Readonly<Record<Format, string>> = {
  text: '.txt',
  json: '.json',
  markdown: '.md',
  junit: '.xml',
  tap: '.tap',
  html: '.html',
  csv: '.csv',
  sarif: '.sarif',
  raw: '.txt',
  dotenv: '.env',
  kubernetes: '.yaml',
};

export interface Example {
  readonly line: string;
  readonly about: string;
}

/** One command, as data. `load` brings in the rooms that only this command needs. */
export interface Command {
  /** `['keys', 'list']` */
  readonly path: readonly string[];
  readonly summary: string;
  readonly effect: Effect;
  /** The effect of a command that only reads keys, where it has another one all the same; for the documentation. */
  readonly otherEffect?: { readonly short: string; readonly text: string };
  /** More for the help and the documentation: one paragraph for each entry. */
  readonly details?: readonly string[];
  readonly arguments?: readonly Argument[];
  /** The input that it reads from standard input. */
  readonly input?: string;
  readonly options: readonly Option[];
  readonly formats: readonly Format[];
  /** The result is source text for everybody: `--out` does not make it private. */
  readonly isSource?: true;
  /** `--out` is not the result of this command, which writes that file itself. */
  readonly ownsOut?: true;
  readonly examples: readonly Example[];
  readonly load: () => Promise<CommandAction>;
}

/** All commands. */
export interface CommandTree {
  readonly name: string;
  readonly summary: string;
  /** The meaning of the words between the program and a command, such as `keys`. */
  readonly families: Readonly<Record<string, string>>;
  readonly commands: readonly Command[];
  /** Called only when it is shown. */
  readonly version: () => string;
}

export type CommandAction = (context: Context) => Promise<Result>;

/** The result of a command. `text` is the result in the format that was asked for, `data` that of JSON; only one of them is written. */
export interface Result {
  readonly exit: ExitCode;
  readonly data: Json;
  readonly text: string;
  /** The fault that ended the command, although there is a result to show. */
  readonly fault?: Fault;
  /** The result is already in a file, or was written during the run: nothing is left for standard output. */
  readonly delivered?: true;
}

/** Diagnostics with the source texts that they are about. */
export interface SourcedDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/** The context of an action: its arguments, and its access to the world. */
export interface Context {
  readonly io: Io;
  readonly command: Command;
  readonly tree: CommandTree;
  readonly arguments: readonly string[];
  readonly given: GivenFlags;
  readonly format: Format;
  readonly interruption: Interruption;
  /** The access tokens that this run knows: no output contains one. */
  readonly tokens: Set<Secret>;
  /** Masks the access tokens in a text that leaves the program. */
  readonly mask: (text: string) => string;
  /** The origins that a person has confirmed during this run. */
  readonly confirmedOrigins: Set<string>;
  readonly waits: Waits;
  /** Colours for standard output and for standard error. */
  readonly paint: { readonly out: Paint; readonly err: Paint };
  /** Columns that a text may take. */
  readonly width: { readonly out: number; readonly err: number };
  readonly now: () => UnixSeconds;
  /** A line (or more) on standard error. */
  readonly print: (text: string) => void;
  /** Puts diagnostics into the envelope, and shows them on standard error unless they are the result themselves. */
  readonly remark: (remarks: SourcedDiagnostics, where?: 'shown' | 'silent') => void;
  /** Returns the diagnostics since the last call, for a command that delivers several results. */
  readonly takeDiagnostics: () => readonly Diagnostic[];
}

export const kindOf = (command: Pick<Command, 'path'>): string => command.path.join('-');

import { Writable } from 'node:stream';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** Writes to core’s log, which core filters by `TF_LOG`. Never pass a secret, or text that holds one. */
export type PluginLog = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

interface LogOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

const DEFAULT: Level = 'warn';

/** The index of the lowest level to write. `off` and unknown words disable the log. */
function leastOf({ TF_LOG_PROVIDER: own, TF_LOG: all }: LogOptions['env']): number {
  const word = (own || all || DEFAULT).toLowerCase();
  const at = LEVELS.indexOf((word === 'json' ? 'trace' : word) as Level);
  return at < 0 ? LEVELS.length : at;
}

/** The time with six fractional digits: core shows a line with any other number of them as it is, at the level DEBUG. */
const timestampOf = (time: Date): string => time.toISOString().replace('Z', '000Z');

/** Writes lines of JSON as hclog does: core reads them from a provider’s standard error. */
export function openLog({ env, write, now }: LogOptions): PluginLog {
  const least = leastOf(env);
  return (level, message, fields = {}) => {
    if (LEVELS.indexOf(level) < least) return;
    const head = { '@level': level, '@message': message, '@module': 'keyplane', '@timestamp': timestampOf(now()) };
    write(`${JSON.stringify({ ...fields, ...head })}\n`);
  };
}

/** A console that writes to the log: on standard output core reads nothing but the handshake. */
export function consoleOf(log: PluginLog): Console {
  const logging = (level: Level) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _, done) {
        log(level, text.trimEnd());
        done();
      },
    });
  const { Console } = globalThis.console;
  return new Console(logging('info'), logging('error'));
}

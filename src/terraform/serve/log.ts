import { Writable } from 'node:stream';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** Says something to core, which shows it at its own level (`TF_LOG`). Nothing that is or holds a secret. */
export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

interface LogOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

const DEFAULT: Level = 'warn';

/** The least level that anybody wants to read; `off` and words that nobody knows: none. */
function leastOf({ TF_LOG_PROVIDER: own, TF_LOG: all }: LogOptions['env']): number {
  const word = (own || all || DEFAULT).toLowerCase();
  const at = LEVELS.indexOf((word === 'json' ? 'trace' : word) as Level);
  return at < 0 ? LEVELS.length : at;
}

/** Lines of JSON as hclog writes them: core reads those from a provider’s standard error. */
export function openLog({ env, write, now }: LogOptions): Log {
  const least = leastOf(env);
  return (level, message, fields = {}) => {
    if (LEVELS.indexOf(level) < least) return;
    const head = { '@level': level, '@message': message, '@module': 'keyplane', '@timestamp': now().toISOString() };
    write(`${JSON.stringify({ ...fields, ...head })}\n`);
  };
}

/** A console that writes to the log: standard output belongs to core, which reads nothing there but the handshake. */
export function consoleOf(log: Log): Console {
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

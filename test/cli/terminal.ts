import { hostname } from 'node:os';
import { PassThrough, Writable } from 'node:stream';
import type { Environment, InterruptSignal, Io } from '../../src/cli/index.ts';
import { run } from '../../src/cli/index.ts';
import { requireDescribed } from './output-form.ts';

export const NOW = 2_000_000_000;

class Screen extends Writable {
  readonly isTTY: boolean;
  readonly columns = 80;
  text = '';
  readonly watchers = new Set<() => void>();

  constructor(isTTY: boolean) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }

  // What a moving line asks of a terminal; here every text stays.
  clearLine = (): boolean => true;
  cursorTo = (): boolean => true;
  moveCursor = (): boolean => true;
  hasColors = (): boolean => true;

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    for (const look of this.watchers) look();
    done();
  }
}

interface TerminalOptions {
  readonly terminal?: boolean;
  readonly env?: Environment;
  readonly cwd?: string;
}

/** A person, or nobody, in front of the command line, all within this process. */
export function openTerminal({ terminal = false, env = {}, cwd = '/nowhere' }: TerminalOptions = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY: terminal });
  const [stdout, stderr] = [new Screen(terminal), new Screen(terminal)];
  const listeners = new Set<(signal: InterruptSignal) => void>();
  let waited = 0;
  const io: Io = {
    stdin,
    stdout,
    stderr,
    env,
    cwd,
    clock: () => NOW + waited,
    async pause(seconds) {
      waited += seconds;
    },
    steady: () => waited * 1000,
    every: () => () => {},
    random: Math.random,
    pid: process.pid,
    keepsCode: () => false,
    host: hostname(),
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    io,
    type: (line: string) => stdin.write(`${line}\n`),
    hangUp: () => stdin.end(),
    signal: (name: InterruptSignal) => {
      for (const listener of listeners) listener(name);
    },
    listening: () => listeners.size,
    out: () => stdout.text,
    err: () => stderr.text,
    /** Resolves when standard error has shown this text. */
    shows: (text: string): Promise<void> =>
      new Promise((done, fail) => {
        stderr.once('finish', () => fail(new Error(`it ended without printing "${text}": ${stderr.text}`)));
        const look = (): void => {
          if (stderr.text.includes(text)) done();
        };
        stderr.watchers.add(look);
        look();
      }),
    run: (...words: string[]) => {
      const ended = run(words, io);
      ended.finally(() => stderr.end());
      return ended.then((code) => {
        requireDescribed(words, stdout.text);
        return code;
      });
    },
  };
}

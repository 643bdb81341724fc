import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { blankSecrets, Fault, type Secret } from '../../domain/index.ts';
import { shownText } from '../shown-text.ts';

export interface ProgramRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Written to standard input, without a line break. */
  readonly secret: Secret;
  /** Credentials that the program has: no message shows one that it prints. */
  readonly hidden: readonly Secret[];
  /** Does the program get the secret? Otherwise its standard input is empty. */
  readonly isWrite: boolean;
  readonly signal?: AbortSignal | undefined;
}

const MOST_OUTPUT = 64 * 1024;
const MOST_SHOWN = 500;

interface Ended {
  /** The exit code, or the signal that ended the program. */
  readonly code: number | string;
  readonly output: string;
  readonly errors: string;
  readonly why?: 'timeout' | 'interrupted';
}

/**
 * The words to start for a program that gets the secret. Node makes a socket of its standard input, and Linux opens no socket by its
 * name: a program that wants a file, and gets `/dev/stdin`, would fail. A pipe can be opened.
 */
async function withPipe({ argv, cwd, env }: ProgramRun): Promise<readonly string[]> {
  if (process.platform !== 'linux') return argv;
  const found = await Promise.all(['sh', 'cat'].map((name) => hasProgram(name, cwd, env.PATH ?? '')));
  return found.includes(false) ? argv : ['sh', '-c', 'cat | exec "$@"', 'sh', ...argv];
}

/** Runs a program in a group of its own, which ends as a whole: a child of it must not keep the secret waiting. */
function start({
  argv: [program = '', ...args],
  cwd,
  env,
  timeoutMs,
  secret,
  isWrite,
  signal,
}: ProgramRun): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: 'pipe' });
    const texts = { output: '', errors: '' };
    let why: Ended['why'];
    const end = (reason: Ended['why']): void => {
      why ??= reason;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(() => end('timeout'), timeoutMs);
    const stop = (): void => end('interrupted');
    signal?.addEventListener('abort', stop, { once: true });
    const keep = (name: keyof typeof texts) => (chunk: Buffer) => {
      if (texts[name].length < MOST_OUTPUT) texts[name] += chunk.toString('utf8');
    };
    child.stdout.on('data', keep('output'));
    child.stderr.on('data', keep('errors'));
    // A program that reads nothing closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(isWrite ? secret.reveal() : '');
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    child.on('error', (thrown) => {
      settle();
      fail(thrown);
    });
    child.on('close', (code, ended) => {
      settle();
      done({ code: code ?? String(ended), ...texts, ...(why ? { why } : {}) });
    });
  });
}

/** The output of a program in one short line, without the secret and other credentials. */
function shown({ errors, output }: Ended, { secret, hidden, isWrite }: ProgramRun): string {
  // What a program prints that reads the place is the value that it holds.
  const text = blankSecrets(isWrite ? `${errors} ${output}` : errors, hidden);
  return shownText(text, [secret], MOST_SHOWN);
}

/**
 * Runs a program, and returns what it printed.
 *
 * @throws Fault `sink.unreachable` when it did not end in time, `sink.refused` when it failed
 */
export async function runProgram(run: ProgramRun): Promise<string> {
  const name = run.argv[0] ?? '';
  const argv = run.isWrite ? await withPipe(run) : run.argv;
  const ended = await start({ ...run, argv }).catch((cause: unknown) => {
    throw new Fault('sink.refused', `The program ${name} cannot be started.`, { cause });
  });
  if (ended.why) {
    const what = ended.why === 'timeout' ? `did not end within ${run.timeoutMs / 1000} s` : 'was interrupted';
    throw new Fault('sink.unreachable', `The program ${name} ${what}.`, {
      hint: 'It may have stored the secret. The next run finds out, or stores it again.',
    });
  }
  if (ended.code === 0) return ended.output;
  const printed = shown(ended, run);
  const message = `failed with code ${ended.code}${printed ? `: ${printed}` : '.'}`;
  if (run.isWrite) throw new Fault('sink.refused', `The program ${name} ${message}`);
  throw new Fault('sink.refused', `The program ${name} of \`read\` ${message}`, {
    hint: 'Where nothing is stored yet, `read` must print nothing and end with code 0.',
  });
}

/** Does a program exist, by its path or on the search path? */
export async function hasProgram(name: string, cwd: string, path: string): Promise<boolean> {
  const places =
    name.includes(sep) || isAbsolute(name) ? [resolve(cwd, name)] : path.split(delimiter).map((at) => join(at, name));
  for (const place of places) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

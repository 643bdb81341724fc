import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { run } from '../../../src/cli/index.ts';
import { ROOT } from '../../architecture/repository.ts';
import { openTerminal } from '../../cli/terminal.ts';
import { PROGRAM } from '../../script-words.ts';
import { runHere } from '../place.ts';
import { runServed } from '../terraform/stack.ts';

/** The address that the documentation writes for the reference gateway. */
const DOCUMENTED_URL = 'http://127.0.0.1:8787';

export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A text of the documentation, and what it is in this run: the address of a server, such as a service that secrets go to. */
export type Rewrite = readonly [documented: string, here: string];

/** An empty folder with the built `keyplane` on the path, and perhaps a gateway, in which a page is followed. */
export interface Workplace {
  write(name: string, text: string): Promise<void>;
  /**
   * Runs one line of a shell; `export A=B` lasts, `keyplane gateway` goes on in the background.
   *
   * @param isHere whether `keyplane`, or the provider that Terraform starts, runs in this process, where the line consists of plain
   *   words
   */
  run(line: string, isHere?: boolean): Promise<Ended>;
  /** Returns the words of each command line that the recorder saw. */
  recorded(): Promise<readonly (readonly string[])[]>;
  /** A text of the program as the documentation would show it: no port, folder or time of this run. */
  shown(text: string): string;
  close(): Promise<void>;
}

/** A command without anything that a shell would read otherwise. Only the built program contains a provider. */
const PLAIN = /^keyplane(?! provider)(?: [\w./:,=@+-]+)*$/;

/** A command of Terraform for which it starts an installed provider three times. */
const TERRAFORM = /^terraform (?:plan|apply)(?: -[\w./=-]+)*$/;

const wordsOf = (line: string): readonly string[] => line.split(/ +/).slice(1);

/** Shell scripts for `keyplane` on the path: the program, or a stand-in that only records its command lines. */
const START = `exec "${process.execPath}" "${PROGRAM}" "$@"`;
export const RECORDER = 'printf \'%s\\0\' "$#" "$@" >> "$HOME/command-lines"';

async function collect(child: ChildProcess): Promise<Ended> {
  const chunks = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (chunks.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (chunks.stderr += chunk));
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit: exit ?? -1, ...chunks };
}

interface Gateway {
  /** The first line has its address. */
  readonly stdout: Readable;
  stop(): Promise<void>;
}

async function addressOf({ stdout }: Gateway): Promise<string> {
  const lines = createInterface({ input: stdout });
  for await (const line of lines) {
    lines.close();
    return (JSON.parse(line) as { data: { url: string } }).data.url.replace(/\/$/, '');
  }
  throw new Error('the gateway ended before it printed its address');
}

function gatewayOf(child: ChildProcess): Gateway {
  if (!child.stdout) throw new Error('the gateway has no standard output');
  child.stderr?.resume();
  return {
    stdout: child.stdout,
    async stop() {
      if (child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function startGatewayHere(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Gateway {
  const stdout = new PassThrough();
  const { io, signal } = openTerminal({ env, cwd });
  const ended = run(words, { ...io, stdout }).finally(() => stdout.end());
  return {
    stdout,
    async stop() {
      signal('SIGTERM');
      await ended;
    },
  };
}

/** Installs the packages that `npm install` would, above the folder of the page; and `tsx`, which `npx` would find there. */
async function install(folder: string, bin: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of ['cdktf', 'cdktn', 'constructs']) {
    await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  }
  await symlink(ROOT, join(modules, 'keyplane'));
  await symlink(join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(bin, 'tsx'));
}

/** Reads a record: for each command line the number of its words, and the words. */
function commandLinesIn(record: string): readonly (readonly string[])[] {
  const entries = record.split('\0').slice(0, -1);
  const lines: (readonly string[])[] = [];
  while (entries.length > 0) {
    const [count] = entries.splice(0, 1);
    lines.push(entries.splice(0, Number(count)));
  }
  return lines;
}

export async function openWorkplace(program = START, rewrites: readonly Rewrite[] = []): Promise<Workplace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'keyplane-docs-')));
  const home = join(folder, 'home');
  const place = join(folder, 'work');
  const bin = join(folder, 'bin');
  for (const made of [home, place, bin]) await mkdir(made);
  await writeFile(join(bin, 'keyplane'), `#!/bin/sh\n${program}\n`);
  await chmod(join(bin, 'keyplane'), 0o755);
  await install(folder, bin);
  // Terraform would ask for news of itself.
  const env: Record<string, string> = {
    ...{ PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: home, NO_COLOR: '1', CHECKPOINT_DISABLE: '1' },
  };
  const gateways: Gateway[] = [];
  let url = DOCUMENTED_URL;
  const here = (text: string): string =>
    [[DOCUMENTED_URL, url] as const, ...rewrites].reduce(
      (all, [documented, actual]) => all.replaceAll(documented, actual),
      text,
    );
  const shell = (line: string) => {
    return spawn('bash', ['-o', 'pipefail', '-c', here(line)], { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const startGateway = async (line: string, isHere: boolean): Promise<Ended> => {
    const quiet = `${line.replace(/ &$/, '').replace(/--port \d+/, '')} --port 0 --format json`;
    const gateway = isHere ? startGatewayHere(wordsOf(quiet), place, env) : gatewayOf(shell(`exec ${quiet}`));
    gateways.push(gateway);
    url = await addressOf(gateway);
    return { exit: 0, stdout: '', stderr: '' };
  };
  const runPlainly = async (line: string): Promise<Ended> => {
    const { code, ...output } = await runHere(wordsOf(here(line)), place, env);
    return { exit: code ?? -1, ...output };
  };
  const serveTerraform = async (line: string): Promise<Ended> => {
    const { code, ...output } = await runServed(place, env, wordsOf(here(line)));
    return { exit: code ?? -1, ...output };
  };
  return {
    async write(name, text) {
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), here(text));
    },
    async run(line, isHere = false) {
      if (line.startsWith('keyplane gateway')) return startGateway(line, isHere);
      // The client of AWS reads the environment of its process.
      if (isHere && PLAIN.test(line) && !('AWS_ACCESS_KEY_ID' in env)) return runPlainly(line);
      if (isHere && TERRAFORM.test(line)) return serveTerraform(line);
      const exported = /^export ((?:\w+=\S+ ?)+)/.exec(here(line))?.[1];
      if (exported === undefined) return collect(shell(line));
      for (const [, name = '', value = ''] of exported.matchAll(/(\w+)=(\S+)/g))
        env[name] = (await collect(shell(`printf %s ${value}`))).stdout;
      return { exit: 0, stdout: '', stderr: '' };
    },
    recorded: async () => commandLinesIn(await readFile(join(home, 'command-lines'), 'utf8')),
    shown: (text) => text.replaceAll(url, DOCUMENTED_URL).replaceAll(`${place}/`, '').trimEnd(),
    async close() {
      for (const gateway of gateways) await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

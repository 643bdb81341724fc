import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROGRAM } from '../bench/programs.ts';
import type { Chance } from './chance.ts';
import { changed, type DeclaredKeys, manifestOf } from './manifest.ts';
import { ACCESS_TOKEN } from './world.ts';

/** One process after another that applies a manifest. Each writer has a home folder of its own, as CI runners have. */
export interface Writer {
  readonly team: string;
  readonly folder: string;
  readonly chance: Chance;
  readonly url: string;
  /** The kind of lock that its processes take. */
  readonly lock: string;
}

export interface Ran {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly output: string;
}

/** Seconds until an unanswered create counts as lost: longer than the network of the soak holds one. */
const SETTLE = '8';

/** Applies the manifest of the writer; kills the process after that time, if one is given. */
export async function applyOnce(writer: Writer, keys: DeclaredKeys, killAfterMs?: number): Promise<Ran> {
  mkdirSync(writer.folder, { recursive: true });
  writeFileSync(join(writer.folder, 'keyplane.yaml'), manifestOf(writer.team, writer.url, keys));
  const child = spawn(
    process.execPath,
    [PROGRAM, 'apply', '--yes', '--settle', SETTLE, '--max-deletes', '100', '--allow-last-key', '--timeout', '5s'],
    {
      cwd: writer.folder,
      env: {
        PATH: process.env.PATH,
        HOME: writer.folder,
        NO_COLOR: '1',
        KEYPLANE_URL: writer.url,
        KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN,
        KEYPLANE_LOCK: writer.lock,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, output };
}

/** Changes and applies a manifest until the signal; every fourth process is killed. */
export async function keepWriting(
  writer: Writer,
  {
    declared,
    signal,
    onRun,
  }: {
    readonly declared: Map<string, DeclaredKeys>;
    readonly signal: AbortSignal;
    readonly onRun: (ran: Ran) => void;
  },
): Promise<void> {
  const { chance, team } = writer;
  while (!signal.aborted) {
    const keys = changed(declared.get(team) ?? {}, team, chance);
    declared.set(team, keys);
    onRun(await applyOnce(writer, keys, chance.happens(0.25) ? 200 + chance.number(1500) : undefined));
    await pause(chance.number(300));
  }
}

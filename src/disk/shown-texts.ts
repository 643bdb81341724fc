import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from '../domain/index.ts';
import { type StateEnvironment, stateFolder } from './state-folder.ts';

/** Remembers which texts other processes of one run have shown. */
export interface ShownTexts {
  /** Determines whether another process of the run has shown the text, and else records that this one does. */
  isShown(text: string): Promise<boolean>;
}

export interface ShownTextsOptions {
  readonly env: StateEnvironment;
  /** Names the run that started the processes. */
  readonly run: string;
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A run that takes longer shows a text again. */
const KEPT_MS = 86_400_000;

async function removeOld(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (mtimeMs < now - KEPT_MS) await rm(file, { force: true });
  }
}

/** Opens the record of a run. Where no file can be written, nothing counts as shown. */
export function openShownTexts({ env, run, pid, now }: ShownTextsOptions): ShownTexts {
  const open = once(async () => {
    const folder = await stateFolder(env, 'shown');
    await removeOld(folder, now()).catch(() => undefined);
    const file = join(folder, `${run}.txt`);
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').map((line) => line.split(' '));
    // What this process shows, it may show for several objects.
    return { file, others: new Set(lines.flatMap(([by, digest]) => (by === String(pid) ? [] : [digest ?? '']))) };
  });
  const judge = async (text: string): Promise<boolean> => {
    try {
      const { file, others } = await open();
      const digest = createHash('sha256').update(text).digest('hex');
      if (others.has(digest)) return true;
      await appendFile(file, `${pid} ${digest}\n`, { mode: 0o600 });
    } catch {
      // Shown once more.
    }
    return false;
  };
  // A plan of a thousand objects may have the same text for each of them.
  const judged = new Map<string, Promise<boolean>>();
  return {
    isShown(text) {
      const known = judged.get(text) ?? judge(text);
      judged.set(text, known);
      return known;
    },
  };
}

import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountRef, UnixSeconds } from '../domain/index.ts';
import { accountHash, type StateEnvironment, stateFolder } from './state-folder.ts';
import { writeWhole } from './write-file.ts';

/** Counts the uses of something that a gateway allows few times within a while, by all processes of this machine. */
export interface RecentUses {
  /** Records one use. A file that cannot be written counts less, and fails nothing. */
  note(): Promise<void>;
  count(): Promise<number>;
}

export interface RecentUsesOptions {
  readonly env: StateEnvironment;
  readonly account: AccountRef;
  readonly now: () => UnixSeconds;
  /** The time for which a use counts, in seconds. */
  readonly within: number;
}

/** The file is shortened beyond this. */
const MOST_BYTES = 64_000;

/** Opens the record of the reveals of an account: one line for each, with its time. */
export function openRecentReveals({ env, account, now, within }: RecentUsesOptions): RecentUses {
  const path = async (): Promise<string> => join(await stateFolder(env, 'reveals'), `${accountHash(account)}.txt`);
  const timesIn = (text: string): readonly number[] =>
    text
      .split('\n')
      .map(Number)
      .filter((at) => at > now() - within && at <= now());
  return {
    async note() {
      try {
        const file = await path();
        // Concurrent processes append whole lines.
        await appendFile(file, `${now()}\n`, { mode: 0o600 });
        const text = await readFile(file, 'utf8');
        if (text.length > MOST_BYTES) await writeWhole(file, `${timesIn(text).join('\n')}\n`, 0o600);
      } catch {
        // The count is a courtesy.
      }
    },
    async count() {
      return timesIn(
        await path()
          .then((file) => readFile(file, 'utf8'))
          .catch(() => ''),
      ).length;
    },
  };
}

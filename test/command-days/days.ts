import type { Chance } from '../../scripts/soak/chance.ts';
import type { Bench, Ended, StoredKey } from './bench.ts';
import type { Trouble } from './tap.ts';
import type { Team } from './teams.ts';
import type { Asked, Truth } from './truth.ts';

/** Three users with three manifests for two accounts, and whoever else is there. */
export interface Days {
  readonly bench: Bench;
  readonly chance: Chance;
  readonly teams: readonly [Team, ...Team[]];
  readonly truth: Truth;
  readonly story: string[];
  readonly problems: string[];
  fresh(): string;
  /** Runs a command that may write, and judges what it did. */
  run(asked: Partial<Asked> & Pick<Asked, 'team'>, words: readonly string[], trouble?: Trouble): Promise<Ended>;
}

export const byId = (keys: readonly StoredKey[]): ReadonlyMap<number, StoredKey> =>
  new Map(keys.map((key) => [key.id, key]));

export const LIMITS = ['--max-deletes', '99', '--allow-last-key', '--assume-log-complete'] as const;

import type { Kill } from '../killed.ts';
import type { Stack } from '../stack.ts';
import type { Bench, StoredKey } from './bench.ts';
import type { Dice, End, World } from './world.ts';

/** One user with one gateway and one state, over many days. */
export interface Days {
  readonly bench: Bench;
  readonly dice: Dice;
  world: World;
  /** The key of each address. */
  readonly ids: Map<string, number>;
  /** The units that each key used. */
  readonly used: Map<number, number>;
  /** The end that the last apply declared for each key. */
  readonly ends: Map<number, End>;
  /** The keys after the last step. */
  latest: ReadonlyMap<number, StoredKey>;
  /** Keys that no state has, as they must stay. */
  readonly foreign: Map<number, StoredKey>;
  /** The states after earlier applies, the oldest first. */
  readonly states: string[];
  readonly story: string[];
  fresh(): string;
  configure(): Promise<void>;
  readonly run: Stack['run'];
  /** Kills an apply. Returns whether it had as many requests. Omitted: nobody starts a process that could be killed. */
  readonly kill?: (kill: Kill) => Promise<boolean>;
  /** Runs a command that must succeed. */
  command(...words: readonly string[]): Promise<void>;
  /** Nothing is left to do. */
  settled(): Promise<void>;
}

/** The work that a step leaves to the apply that follows. */
export interface Step {
  readonly title: string;
  /** Addresses that may get another key. */
  readonly replaced?: readonly string[];
  /** The key that somebody deleted. */
  readonly deleted?: number;
  /** Words of a first apply, after which an apply of everything must do the rest. */
  readonly first?: readonly string[];
  /** May the first apply fail? */
  readonly mayFail?: true;
}

/** Undefined where there is nothing to do it to. */
export type Play = (days: Days) => Promise<Step | undefined> | Step | undefined;

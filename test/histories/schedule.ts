import { setImmediate } from 'node:timers/promises';
import type { Chance } from '../../scripts/soak/chance.ts';

/** A request that waits until it may go on: to the gateway, or back with its answer. */
interface Turn {
  readonly actor: string;
  readonly go: () => void;
}

/** The order in which concurrent runs go on: one step at a time, chosen by chance, so that a seed repeats it. */
export interface Schedule {
  /** Resolves when the actor may go on; never, once it has crashed. */
  turn(actor: string): Promise<void>;
  /** Follows the work of an actor to its end. */
  follow<T>(actor: string, work: Promise<T>): Promise<T>;
  /** Lets one actor go on that is not paused. False: the work of all has ended, or crashed. */
  step(): Promise<boolean>;
  crash(actor: string): void;
  /** Excludes an actor for so many steps. */
  pause(actor: string, steps: number): void;
  /** From now on nobody waits. */
  open(): void;
}

export function openSchedule(chance: Chance): Schedule {
  const paused = new Map<string, number>();
  const crashed = new Set<string>();
  const busy = new Set<string>();
  let [turns, isOpen, steps]: [readonly Turn[], boolean, number] = [[], false, 0];

  /** When all wait for a paused one, the pause is over. */
  function ready(): readonly Turn[] {
    const awake = turns.filter(({ actor }) => (paused.get(actor) ?? 0) <= steps);
    return awake.length > 0 ? awake : turns;
  }

  return {
    turn(actor) {
      if (isOpen && !crashed.has(actor)) return Promise.resolve();
      return new Promise((go) => {
        if (!crashed.has(actor)) turns = [...turns, { actor, go }];
      });
    },
    follow(actor, work) {
      busy.add(actor);
      return work.finally(() => busy.delete(actor));
    },
    async step() {
      steps += 1;
      // An actor that waits for something else, such as a file of the program, has no request yet.
      while (turns.length === 0 && busy.size > 0) await setImmediate();
      const choices = ready();
      const chosen = choices[chance.number(choices.length)];
      if (chosen === undefined) return false;
      turns = turns.filter((each) => each !== chosen);
      chosen.go();
      // Whatever the actor does until its next request is done.
      await setImmediate();
      return true;
    },
    crash(actor) {
      crashed.add(actor);
      busy.delete(actor);
      turns = turns.filter((each) => each.actor !== actor);
    },
    pause: (actor, length) => void paused.set(actor, steps + length),
    open() {
      isOpen = true;
      for (const { go } of turns) go();
      turns = [];
    },
  };
}

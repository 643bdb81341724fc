/**
 * Many may go through at once, or one may stop them and look. The list of keys counts its pages: a key that is made or
 * deleted while somebody walks over it makes the walk begin again, and with enough of them it never ends.
 */
export interface Turnstile {
  through<A>(work: () => Promise<A>): Promise<A>;
  /** Waits for those who are on their way, and holds the others until the look is done. One look at a time. */
  look<A>(work: () => Promise<A>): Promise<A>;
}

export function openTurnstile(): Turnstile {
  const onTheirWay = new Set<Promise<unknown>>();
  let held: Promise<unknown> | undefined;
  return {
    async through(work) {
      while (held) await held;
      const going = work();
      const ended = going.catch(() => undefined);
      onTheirWay.add(ended);
      try {
        return await going;
      } finally {
        onTheirWay.delete(ended);
      }
    },
    async look(work) {
      while (held) await held;
      const looking = Promise.all(onTheirWay).then(work);
      held = looking.catch(() => undefined);
      try {
        return await looking;
      } finally {
        held = undefined;
      }
    },
  };
}

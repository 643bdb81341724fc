/**
 * Lets either any number of writes or one read run. The gateway pages its list of keys: a key that is created or deleted
 * during a walk makes the walk start over, and with enough of them it never ends.
 */
export interface ReadWriteGate {
  write<A>(work: () => Promise<A>): Promise<A>;
  /** Waits for running writes, and makes new ones wait. One read at a time. */
  read<A>(work: () => Promise<A>): Promise<A>;
}

export function openReadWriteGate(): ReadWriteGate {
  const writes = new Set<Promise<unknown>>();
  let reading: Promise<unknown> | undefined;
  return {
    async write(work) {
      while (reading) await reading;
      const running = work();
      const ended = running.catch(() => undefined);
      writes.add(ended);
      try {
        return await running;
      } finally {
        writes.delete(ended);
      }
    },
    async read(work) {
      while (reading) await reading;
      const running = Promise.all(writes).then(work);
      reading = running.catch(() => undefined);
      try {
        return await running;
      } finally {
        reading = undefined;
      }
    },
  };
}

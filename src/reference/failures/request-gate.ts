/** Holds requests until they are released, so that tests can create races without sleeping. */
export interface RequestGate {
  /** Resolves when released. */
  hold(): Promise<void>;
  /** Resolves when at least `count` requests are held. */
  whenHeld(count: number): Promise<void>;
  heldCount(): number;
  /** Releases the first `count` requests in the order of their arrival, by default all. Returns how many it released. */
  release(count?: number): number;
  /** Releases every request, also later ones. */
  close(): void;
}

export function requestGate(): RequestGate {
  const waiting: (() => void)[] = [];
  let watchers: { count: number; notify: () => void }[] = [];
  let closed = false;
  const notifyWatchers = (): void => {
    const due = watchers.filter(({ count }) => closed || waiting.length >= count);
    watchers = watchers.filter((watcher) => !due.includes(watcher));
    for (const { notify } of due) notify();
  };
  const release = (count = waiting.length): number => {
    const released = waiting.splice(0, count);
    for (const go of released) go();
    return released.length;
  };
  return {
    hold: () =>
      new Promise((resolve) => {
        if (closed) return resolve();
        waiting.push(resolve);
        return notifyWatchers();
      }),
    whenHeld: (count) =>
      new Promise((resolve) => {
        watchers.push({ count, notify: resolve });
        notifyWatchers();
      }),
    heldCount: () => waiting.length,
    release,
    close() {
      closed = true;
      release();
      notifyWatchers();
    },
  };
}

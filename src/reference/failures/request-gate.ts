/** Where requests wait until somebody lets them go: races without sleeping. */
export interface RequestGate {
  /** Resolves when released. */
  hold(): Promise<void>;
  /** Resolves when at least `count` requests are parked. */
  whenHeld(count: number): Promise<void>;
  heldCount(): number;
  /** Lets the first `count` go, in the order in which they came; all of them by default. Says how many went. */
  release(count?: number): number;
  /** Lets all go, now and from now on. */
  close(): void;
}

export function requestGate(): RequestGate {
  const parked: (() => void)[] = [];
  let watchers: { count: number; notify: () => void }[] = [];
  let closed = false;
  const tell = (): void => {
    const due = watchers.filter(({ count }) => closed || parked.length >= count);
    watchers = watchers.filter((watcher) => !due.includes(watcher));
    for (const { notify } of due) notify();
  };
  const release = (count = parked.length): number => {
    const leaving = parked.splice(0, count);
    for (const leave of leaving) leave();
    return leaving.length;
  };
  return {
    hold: () =>
      new Promise((resolve) => {
        if (closed) return resolve();
        parked.push(resolve);
        return tell();
      }),
    whenHeld: (count) =>
      new Promise((resolve) => {
        watchers.push({ count, notify: resolve });
        tell();
      }),
    heldCount: () => parked.length,
    release,
    close() {
      closed = true;
      release();
      tell();
    },
  };
}

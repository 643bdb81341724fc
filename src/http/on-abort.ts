/** Calls functions when signals abort. */
export interface AbortWatch {
  /** Returns the function that ends this. A signal that has aborted before calls nothing. */
  onAbort(signal: AbortSignal | undefined, call: () => void): () => void;
}

interface Watched {
  readonly calls: Set<() => void>;
  readonly notify: () => void;
}

const nothing = (): void => undefined;

/**
 * Watches each signal with one listener. Node.js links the listeners of a signal, and does not cut the links of those that are removed:
 * of thousands of requests with a listener each, one that has become old would keep all later ones in memory until a full garbage
 * collection. Without calls there is no listener: it would keep a composed signal in memory permanently.
 */
export function watchAborts(): AbortWatch {
  const signals = new WeakMap<AbortSignal, Watched>();
  const watch = (signal: AbortSignal): Watched => {
    const calls = new Set<() => void>();
    const notify = (): void => {
      // One call may end another.
      for (const call of calls) call();
    };
    signal.addEventListener('abort', notify, { once: true });
    const watched = { calls, notify };
    signals.set(signal, watched);
    return watched;
  };
  return {
    onAbort(signal, call) {
      if (signal === undefined || signal.aborted) return nothing;
      const { calls, notify } = signals.get(signal) ?? watch(signal);
      calls.add(call);
      return () => {
        calls.delete(call);
        if (calls.size > 0) return;
        signal.removeEventListener('abort', notify);
        signals.delete(signal);
      };
    },
  };
}

/** Parts of a body on their way from a connection to whoever reads them. One reader, one read at a time. */
export interface ChunkQueue {
  push(chunk: Uint8Array): void;
  /** Nothing follows. */
  end(): void;
  /** What is queued is still handed out, then this is thrown. */
  fail(failure: Error): void;
  /** Nothing queued is handed out any more; a read under way ends. */
  drop(failure?: Error): void;
  read(): Promise<IteratorResult<Uint8Array, undefined>>;
}

/** So many bytes may wait to be read before the other side is asked to pause. */
const FULL_BYTES = 1024 * 1024;

interface Waiting {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (failure: Error) => void;
}

const DONE: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

/** `onFull` when too much waits, `onDrained` when the reader has caught up after that. */
export function openChunkQueue(notice: { onFull: () => void; onDrained: () => void }): ChunkQueue {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  let full = false;
  let ended: { readonly failure: Error | undefined } | undefined;
  let waiting: Waiting | undefined;
  const settle = () => {
    if (!waiting || !ended) return;
    const { resolve, reject } = waiting;
    waiting = undefined;
    if (ended.failure) reject(ended.failure);
    else resolve(DONE);
  };
  const close = (failure?: Error) => {
    ended ??= { failure };
    settle();
  };
  const take = (chunk: Uint8Array): IteratorResult<Uint8Array, undefined> => {
    bytes -= chunk.length;
    if (full && bytes === 0) {
      full = false;
      notice.onDrained();
    }
    return { done: false, value: chunk };
  };
  return {
    push(chunk) {
      if (ended) return;
      const reader = waiting;
      waiting = undefined;
      if (reader) return reader.resolve({ done: false, value: chunk });
      chunks.push(chunk);
      bytes += chunk.length;
      if (full || bytes < FULL_BYTES) return;
      full = true;
      notice.onFull();
    },
    end: () => close(),
    fail: close,
    drop(failure) {
      chunks = [];
      ended = { failure };
      settle();
    },
    read: () =>
      new Promise((resolve, reject) => {
        const chunk = chunks.shift();
        if (chunk) return resolve(take(chunk));
        waiting = { resolve, reject };
        settle();
      }),
  };
}

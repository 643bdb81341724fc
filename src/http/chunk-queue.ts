/** A queue of body chunks between a connection and one reader, who reads one chunk at a time. */
export interface ChunkQueue {
  push(chunk: Uint8Array): void;
  /** Ends the queue after the chunks in it. */
  end(): void;
  /** Ends the queue with an error after the chunks in it. */
  fail(failure: Error): void;
  /** Discards the chunks in it and ends a pending read. */
  drop(failure?: Error): void;
  read(): Promise<IteratorResult<Uint8Array, undefined>>;
}

/** The number of queued bytes at which the server is asked to pause. */
const FULL_BYTES = 1024 * 1024;

interface PendingRead {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (failure: Error) => void;
}

const DONE: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

interface QueueListener {
  readonly onFull: () => void;
  /** Called when a full queue is empty again. */
  readonly onDrained: () => void;
}

interface State {
  readonly listener: QueueListener;
  chunks: Uint8Array[];
  bytes: number;
  full: boolean;
  ended: { readonly failure: Error | undefined } | undefined;
  pendingRead: PendingRead | undefined;
}

export function openChunkQueue(listener: QueueListener): ChunkQueue {
  const state: State = { listener, chunks: [], bytes: 0, full: false, ended: undefined, pendingRead: undefined };
  const close = (failure?: Error) => {
    state.ended ??= { failure };
    settle(state);
  };
  return {
    push: (chunk) => push(state, chunk),
    end: () => close(),
    fail: close,
    drop(failure) {
      state.chunks = [];
      state.ended = { failure };
      settle(state);
    },
    read: () =>
      new Promise((resolve, reject) => {
        const chunk = state.chunks.shift();
        if (chunk) return resolve(take(state, chunk));
        state.pendingRead = { resolve, reject };
        settle(state);
      }),
  };
}

/** Settles the pending read of a queue that has ended. */
function settle(state: State): void {
  const { pendingRead, ended } = state;
  if (!pendingRead || !ended) return;
  state.pendingRead = undefined;
  if (ended.failure) pendingRead.reject(ended.failure);
  else pendingRead.resolve(DONE);
}

function push(state: State, chunk: Uint8Array): void {
  const { pendingRead, ended, listener } = state;
  if (ended) return;
  state.pendingRead = undefined;
  if (pendingRead) {
    pendingRead.resolve({ done: false, value: chunk });
    return;
  }
  state.chunks.push(chunk);
  state.bytes += chunk.length;
  if (state.full || state.bytes < FULL_BYTES) return;
  state.full = true;
  listener.onFull();
}

function take(state: State, chunk: Uint8Array): IteratorResult<Uint8Array, undefined> {
  state.bytes -= chunk.length;
  if (state.full && state.bytes === 0) {
    state.full = false;
    state.listener.onDrained();
  }
  return { done: false, value: chunk };
}

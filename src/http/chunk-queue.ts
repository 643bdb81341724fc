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

interface Notice {
  /** Too much waits. */
  readonly onFull: () => void;
  /** The reader has caught up after that. */
  readonly onDrained: () => void;
}

interface State {
  readonly notice: Notice;
  chunks: Uint8Array[];
  bytes: number;
  full: boolean;
  ended: { readonly failure: Error | undefined } | undefined;
  waiting: Waiting | undefined;
}

export function openChunkQueue(notice: Notice): ChunkQueue {
  const state: State = { notice, chunks: [], bytes: 0, full: false, ended: undefined, waiting: undefined };
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
        state.waiting = { resolve, reject };
        settle(state);
      }),
  };
}

/** Tells a reader who waits that nothing follows. */
function settle(state: State): void {
  const { waiting, ended } = state;
  if (!waiting || !ended) return;
  state.waiting = undefined;
  if (ended.failure) waiting.reject(ended.failure);
  else waiting.resolve(DONE);
}

function push(state: State, chunk: Uint8Array): void {
  const { waiting, ended, notice } = state;
  if (ended) return;
  state.waiting = undefined;
  if (waiting) {
    waiting.resolve({ done: false, value: chunk });
    return;
  }
  state.chunks.push(chunk);
  state.bytes += chunk.length;
  if (state.full || state.bytes < FULL_BYTES) return;
  state.full = true;
  notice.onFull();
}

function take(state: State, chunk: Uint8Array): IteratorResult<Uint8Array, undefined> {
  state.bytes -= chunk.length;
  if (state.full && state.bytes === 0) {
    state.full = false;
    state.notice.onDrained();
  }
  return { done: false, value: chunk };
}

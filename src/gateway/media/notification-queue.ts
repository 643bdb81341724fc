/** What came, for one reader who may come later. The newest are kept when nobody reads. */
export interface NotificationQueue<T> {
  push(item: T): void;
  end(): void;
  readonly items: AsyncIterable<T>;
}

const KEPT = 1000;

export function openNotificationQueue<T>(): NotificationQueue<T> {
  const queue: T[] = [];
  let wake: () => void = () => undefined;
  let ended = false;
  async function* items(): AsyncGenerator<T> {
    for (;;) {
      const next = queue.shift();
      if (next !== undefined) yield next;
      else if (ended) return;
      else {
        await new Promise<void>((done) => {
          wake = done;
        });
      }
    }
  }
  return {
    items: { [Symbol.asyncIterator]: items },
    push(item) {
      if (ended) return;
      queue.push(item);
      if (queue.length > KEPT) queue.shift();
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}

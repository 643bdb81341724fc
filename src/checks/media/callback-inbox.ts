import type { CallbackReceiver } from '../../gateway/index.ts';

export type Notification = CallbackReceiver['notifications'] extends AsyncIterable<infer N> ? N : never;

/** The notifications about all tasks of a run: its checks share one receiver, which has one reader. */
export interface CallbackInbox {
  readonly url: string;
  /** In the order in which they arrive. */
  readonly notifications: readonly Notification[];
}

/** Starts to read the notifications of a receiver. */
export function openInbox({ url, notifications }: CallbackReceiver): CallbackInbox {
  const received: Notification[] = [];
  void (async () => {
    for await (const notification of notifications) received.push(notification);
  })();
  return { url, notifications: received };
}

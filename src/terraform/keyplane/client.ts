import type { UnixSeconds } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { SharedStore } from './shared-store.ts';

/** What the calls of one configured provider share. */
export interface Client {
  readonly gateway: Gateway;
  /** The gateway’s keys, for many who ask at once. */
  readonly store: SharedStore;
  readonly now: () => UnixSeconds;
}

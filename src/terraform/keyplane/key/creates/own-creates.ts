import type { KeyId, ObservedKey, UnixSeconds } from '../../../../domain/index.ts';
import {
  createRemainder,
  type KeptJournal,
  type LateCreates,
  type LeftCreate,
  type Waiting,
} from '../../../../reconcile/index.ts';

/** The creates of this process, and those that killed ones have left. */
export interface OwnCreates {
  /** The protection of one create. Its name stays recorded until the provider ends properly. */
  protection(signal: AbortSignal): LateCreates;
  /** The creates that killed processes have left. */
  left(): Promise<readonly LeftCreate[]>;
  /** The creates of a name that killed processes have left. */
  leftOf(name: string): Promise<readonly LeftCreate[]>;
  /** Seconds until these creates can no longer take effect. */
  remainder(left: readonly LeftCreate[]): number;
  /** Notes the key that a create made or that was adopted. */
  made(name: string, id: KeyId): void;
  forget(name: string): Promise<void>;
  /** Forgets the creates of a name that killed processes have left: another run made the same key, and nobody can recognize either. */
  disown(name: string): Promise<void>;
  /** A state holds this key, so nobody has to recognize it any more. */
  stored(key: ObservedKey): Promise<void>;
  /** Has this process made or adopted the key? */
  hasMade(id: KeyId): boolean;
  /** Ends properly: core has the state of every key. */
  close(): Promise<void>;
}

export interface OwnCreatesOptions {
  readonly journal: KeptJournal;
  /** The time after which a create that was sent and is not listed counts as lost, in seconds. */
  readonly settle: number;
  /** The clock of the journal. */
  readonly now: () => UnixSeconds;
  /** Resolves after the wait, or when the signal aborts. */
  readonly wait: (waiting: Waiting, signal: AbortSignal) => Promise<void>;
}

export function openOwnCreates({ journal, settle, now, wait }: OwnCreatesOptions): OwnCreates {
  let loaded: Promise<readonly LeftCreate[]> | undefined;
  const ids = new Map<string, KeyId>();
  // Processes that end later than this one began are not those that were interrupted before it.
  const left = () => {
    loaded ??= journal.left().catch(() => []);
    return loaded;
  };
  const retire = async (isStored: (create: LeftCreate) => boolean): Promise<void> => {
    const stored = (await left()).filter(isStored);
    if (stored.length === 0) return;
    loaded = Promise.resolve((await left()).filter((create) => !stored.includes(create)));
    // An entry that stays makes nothing wrong: it is compared with the keys before anything follows from it.
    await journal.retire(stored).catch(() => undefined);
  };
  return {
    protection: (signal) => ({
      journal: { ...journal, forget: async () => undefined },
      settle,
      wait: (waiting) => wait(waiting, signal),
    }),
    left,
    leftOf: async (name) => (await left()).filter((create) => create.name === name),
    remainder: (creates) => createRemainder(creates, { settle, now: now() }),
    made(name, id) {
      ids.set(name, id);
      journal.answered(name, id);
    },
    // A name that stays costs the next run a look.
    forget: (name) => journal.forget([name]).catch(() => undefined),
    disown: (name) => retire((create) => create.name === name),
    stored: (key) =>
      retire(({ name, newestBefore, id }) => id === key.id || (name === key.name && key.id > newestBefore)),
    hasMade: (id) => [...ids.values()].includes(id),
    async close() {
      await retire(({ name }) => ids.has(name));
      await journal.close();
    },
  };
}

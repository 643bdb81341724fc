import type { UnixSeconds } from '../domain/index.ts';
import type { CreateJournal, RecordedCreate } from '../reconcile/index.ts';

interface UnansweredEntry extends RecordedCreate {
  readonly newestBefore: number;
  readonly at: UnixSeconds;
}

/** The time after which nothing that was sent can take effect any more, in seconds. */
const OLDEST_SECONDS = 86_400;

/**
 * Records the creates of one client that were not answered, for as long as the client exists: a create of the same name waits
 * until the earlier one has taken effect, or cannot any more.
 */
export function openMemoryJournal(now: () => UnixSeconds): CreateJournal {
  let entries: readonly UnansweredEntry[] = [];
  return {
    async load() {
      entries = entries.filter(({ at }) => now() - at < OLDEST_SECONDS);
      return {
        creates: entries.map(({ name, enabled, newestBefore, at }) => ({
          name,
          enabled,
          newestBefore,
          age: now() - at,
        })),
      };
    },
    async record(creates, newestBefore) {
      entries = [...entries, ...creates.map((create) => ({ ...create, newestBefore, at: now() }))];
    },
    async forget(names) {
      entries = entries.filter(({ name }) => !names.includes(name));
    },
    leftEnabled: async () => undefined,
  };
}

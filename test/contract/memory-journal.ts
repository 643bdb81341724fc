import type { KeyId } from '../../src/domain/index.ts';
import type { KeptJournal, LeftCreate, RecordedCreate } from '../../src/reconcile/index.ts';

/** Entries that outlive a run. */
export interface JournalMemory {
  entries: readonly (LeftCreate & { readonly isReported?: true })[];
  runs: number;
  /** The runs before this one have ended. */
  alive: number;
}

export const journalMemory = (): JournalMemory => ({ entries: [], runs: 0, alive: 0 });

/** Ends all runs that have a journal, however far they are. */
export function endRuns(memory: JournalMemory): void {
  memory.alive = memory.runs + 1;
}

/** A create whose settings do not matter. */
export const recorded = (name: string): RecordedCreate => ({ name, digest: 'sha256:0', enabled: true });

/** The second implementation of the port: a journal in memory, opened once by each run. */
export function openMemoryJournal(memory: JournalMemory, now: () => number): KeptJournal {
  memory.runs += 1;
  const own = String(memory.runs);
  const keepOnly = (isKept: (entry: LeftCreate) => boolean) => {
    memory.entries = memory.entries.filter((entry) => entry.run !== own || isKept(entry));
  };
  const answered = (name: string, id: KeyId): void => {
    memory.entries = memory.entries.map((entry) =>
      entry.run === own && entry.name === name ? { ...entry, id } : entry,
    );
  };
  return {
    async load() {
      const recent = memory.entries.filter(({ at }) => now() - at < 86_400);
      const leftEnabled = recent.flatMap(({ id, enabled }) => (id === undefined || enabled ? [] : [id]));
      return {
        creates: recent
          .filter(({ id }) => id === undefined)
          .map(({ name, enabled, newestBefore, at, isReported }) => ({
            ...{ name, enabled, newestBefore, age: now() - at },
            ...(isReported && { isReported }),
          })),
        ...(leftEnabled.length > 0 ? { leftEnabled } : {}),
      };
    },
    leftEnabled: async (keys) => {
      for (const { name, id } of keys) answered(name, id);
    },
    async record(creates, newestBefore) {
      memory.entries = [
        ...memory.entries,
        ...creates.map((create) => ({ ...create, newestBefore, at: now(), run: own })),
      ];
    },
    async reported(names) {
      memory.entries = memory.entries.map((entry) =>
        names.includes(entry.name) ? { ...entry, isReported: true } : entry,
      );
    },
    forget: async (names) => keepOnly(({ name }) => !names.includes(name)),
    answered,
    left: async () => memory.entries.filter(({ run }) => Number(run) < memory.alive),
    async retire(creates) {
      memory.entries = memory.entries.filter(
        (entry) => !creates.some(({ run, name }) => run === entry.run && name === entry.name),
      );
    },
    close: async () => keepOnly(({ id }) => id === undefined),
  };
}

import type { CreateJournal, UnansweredCreates } from '../../src/reconcile/index.ts';

interface Entry {
  readonly name: string;
  readonly newestBefore: number;
  readonly at: number;
  readonly run: number;
}

/** Entries that outlive a run. */
export interface JournalMemory {
  entries: readonly Entry[];
  runs: number;
}

export const journalMemory = (): JournalMemory => ({ entries: [], runs: 0 });

/** The second implementation of the port: a journal in memory, opened once by each run. */
export function openMemoryJournal(memory: JournalMemory, now: () => number): CreateJournal {
  memory.runs += 1;
  const run = memory.runs;
  return {
    load: async (): Promise<UnansweredCreates> => ({
      creates: memory.entries.map(({ name, newestBefore, at }) => ({ name, newestBefore, age: now() - at })),
    }),
    async record(names, newestBefore) {
      memory.entries = [...memory.entries, ...names.map((name) => ({ name, newestBefore, at: now(), run }))];
    },
    async forget(names) {
      memory.entries = memory.entries.filter((entry) => entry.run !== run || !names.includes(entry.name));
    },
  };
}

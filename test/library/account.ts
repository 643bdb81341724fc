import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createKeyplane, defineManifest, type KeyplaneOptions, type ManifestDocument } from '../../src/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { emptyAccount, live, NOW } from '../reconcile/account.ts';

/** A folder for the state of one test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyplane-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const CLOCK = { now: () => new Date(NOW * 1000) };

/** Keyplane over an account in memory with these keys. */
export async function openAccount(names: readonly string[], more: Partial<KeyplaneOptions> = {}) {
  const store = emptyAccount();
  for (const name of names) await store.create(live(name));
  const options = { store, stateFolder: scratchFolder(), clock: CLOCK, lockTimeoutMs: 0, ...more };
  const keyplane = createKeyplane(options as KeyplaneOptions);
  return { store, keyplane, liveNames: () => namesOf(store) };
}

export const namesOf = (store: MemoryStore): readonly string[] => [...store.records.values()].map(({ name }) => name);

/** A manifest of these keys without a limit, which prunes the others that it owns. */
export const declared = (names: readonly string[], more: Partial<ManifestDocument> = {}) =>
  defineManifest({ keys: Object.fromEntries(names.map((name) => [name, { budget: 'unlimited' as const }])), ...more });

export const PRUNING = { ownership: { scope: ['*'], prune: 'delete' } } as const;

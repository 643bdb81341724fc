import { matchesAnyGlob, type UnixSeconds } from '../../domain/index.ts';
import type { Manifest } from '../read.ts';
import type { Document } from './document.ts';

/** A manifest, wherever it was read from. */
export type Declared = Omit<Manifest, 'files' | 'references'>;

/** What a manifest says, as a document that can be written in another language. */
export function documentOfManifest(manifest: Declared, now: UnixSeconds): Document {
  const { gateway, desired, checks, selections, unimplemented } = manifest;
  const { keys, ownership } = desired;
  return {
    gateway,
    ownership,
    keys: keys.map((key) => ({
      desired: key,
      unsaid: [],
      unimplemented: unimplemented.get(key.name) ?? {},
      checks: selections.get(key.name) ?? [],
      isProtected: matchesAnyGlob(ownership.protect, key.name),
    })),
    checks,
    unsaidKeys: [],
    adopts: false,
    now,
  };
}

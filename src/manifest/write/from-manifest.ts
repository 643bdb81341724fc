import { matchesAnyGlob, type UnixSeconds } from '../../domain/index.ts';
import type { Manifest } from '../read.ts';
import type { Document } from './document.ts';

/** A manifest, regardless of its files. */
export type DeclaredManifest = Omit<Manifest, 'files' | 'folder' | 'references'>;

/** Converts a manifest to a document that can be written in any language. */
export function documentOfManifest(manifest: DeclaredManifest, now: UnixSeconds): Document {
  const { gateway, desired, checks, selections, verbatim } = manifest;
  const { keys, ownership, owners } = desired;
  return {
    gateway,
    ownership,
    ...(owners ? { owners } : {}),
    keys: keys.map((key) => ({
      desired: key,
      omissions: [],
      verbatim: verbatim.get(key.name) ?? {},
      checks: selections.get(key.name) ?? [],
      isProtected: matchesAnyGlob(ownership.protect, key.name),
    })),
    checks,
    omittedKeys: [],
    adopts: false,
    now,
  };
}

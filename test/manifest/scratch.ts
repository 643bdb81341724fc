import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Diagnostic } from '../../src/domain/index.ts';
import { type ManifestContext, type ManifestReading, readManifest } from '../../src/manifest/index.ts';

/** 2027-01-15T08:00:00Z. */
export const NOW = 1_800_000_000;

type Files = Readonly<Record<string, string | Uint8Array>>;

export interface ReadOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Names that references may use; default: all of `env`. */
  readonly variables?: readonly string[];
  /** Default: every file, in the order given. */
  readonly paths?: readonly string[];
  readonly validateCheck?: ManifestContext['validateCheck'];
  /** The manifest may have been written by anybody. */
  readonly untrusted?: boolean;
  /** When files were changed, in seconds after `NOW`; the others are of now. */
  readonly changed?: Readonly<Record<string, number>>;
}

/** Reads a manifest of these files, in a folder of its own that is gone afterwards. */
export async function readFiles(
  files: Files,
  { env = {}, variables = Object.keys(env), paths, validateCheck, untrusted = false, changed = {} }: ReadOptions = {},
): Promise<ManifestReading> {
  const cwd = mkdtempSync(join(tmpdir(), 'keyplane-manifest-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    for (const [name, after] of Object.entries(changed)) utimesSync(join(cwd, name), NOW + after, NOW + after);
    return await readManifest(paths ?? Object.keys(files), {
      env,
      variables,
      cwd,
      now: NOW,
      untrusted,
      ...(validateCheck ? { validateCheck } : {}),
    });
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

export const readText = (
  text: string,
  env: ReadOptions['env'] = {},
  variables = Object.keys(env),
): Promise<ManifestReading> => readFiles({ 'keyplane.yaml': text }, { env, variables });

/** `code line:column`, for comparing. */
export const brief = ({ code, place }: Diagnostic): string => `${code} ${place?.line}:${place?.column}`;

/** The declared keys of a manifest without errors, without their places. */
export const keysOf = async (text: string, env = {}) => {
  const { manifest, diagnostics } = await readText(text, env);
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  return manifest?.desired.keys.map(({ place: _, ...key }) => key) ?? [];
};

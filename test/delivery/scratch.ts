import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSink, type SinkOptions } from '../../src/delivery/index.ts';
import type { DeclaredSink, SinkTarget } from '../../src/domain/index.ts';

/** A folder for one test. */
export async function scratch() {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-sinks-'));
  return { folder, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Declares a sink in a folder. */
const declareSink = (target: SinkTarget, folder: string, more: Partial<DeclaredSink> = {}): DeclaredSink => ({
  target,
  adopt: false,
  propagateSeconds: 0,
  onDestroy: 'keep',
  folder,
  ...more,
});

export const openIn = (
  target: SinkTarget,
  folder: string,
  more: Partial<DeclaredSink> = {},
  options: Partial<SinkOptions> = {},
) => openSink(declareSink(target, folder, more), { exec: 'permitted', env: (name) => process.env[name], ...options });

/** The text of every file below a folder. */
export async function textsBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
}

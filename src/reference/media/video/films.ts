import { film, lastFrameOf } from '../../../synthetic/index.ts';
import type { Site } from '../../context.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import { filmOrderFor } from './film-order.ts';

/** Films and last frames of so many bytes are kept; others are made anew, to the byte the same. */
const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_FILES = 32;

/** Oldest use first. */
type Kept = Map<string, Promise<Uint8Array>>;

const KEPT = new WeakMap<Site, Kept>();

function keptOf(site: Site): Kept {
  const kept = KEPT.get(site) ?? new Map();
  KEPT.set(site, kept);
  return kept;
}

async function forgetOldest(kept: Kept): Promise<void> {
  const sizes = await Promise.all(
    [...kept].map(async ([name, made]) => ({ name, size: (await made.catch(() => new Uint8Array())).length })),
  );
  let bytes = sizes.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size } of sizes) {
    if (bytes <= KEPT_BYTES && kept.size <= KEPT_FILES) return;
    kept.delete(name);
    bytes -= size;
  }
}

/** Who asks while it is being made waits for the same. */
async function once(site: Site, name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const kept = keptOf(site);
  const made = kept.get(name) ?? make();
  kept.delete(name);
  kept.set(name, made);
  try {
    return await made;
  } catch (thrown) {
    kept.delete(name);
    throw thrown;
  } finally {
    void forgetOldest(kept);
  }
}

/** The MP4 of a task, made when it is first asked for. */
export const filmOf = (site: Site, task: StoredTask): Promise<Uint8Array> =>
  once(site, `${task.task_id}.mp4`, async () => film(await filmOrderFor(site, task)));

/** The PNG of its last frame. Contract: watermark-free, same pixel size as the video. */
export const lastFrameFor = (site: Site, task: StoredTask): Promise<Uint8Array> =>
  once(site, `${task.task_id}.png`, async () => lastFrameOf(await filmOrderFor(site, task)));

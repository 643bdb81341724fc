import { film, lastFrameOf } from '../../../synthetic/index.ts';
import type { GatewayContext } from '../../context.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import { filmOrderFor } from './film-order.ts';

/** Films and last frames of so many bytes are kept; others are made anew, to the byte the same. */
const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_FILES = 32;

/** Oldest use first. */
type Kept = Map<string, Promise<Uint8Array>>;

const KEPT = new WeakMap<GatewayContext, Kept>();

function keptOf(context: GatewayContext): Kept {
  const kept = KEPT.get(context) ?? new Map();
  KEPT.set(context, kept);
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
async function once(context: GatewayContext, name: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const kept = keptOf(context);
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
export const filmOf = (context: GatewayContext, task: StoredTask): Promise<Uint8Array> =>
  once(context, `${task.task_id}.mp4`, async () => film(await filmOrderFor(context, task)));

/** The PNG of its last frame. Contract: watermark-free, same pixel size as the video. */
export const lastFrameFor = (context: GatewayContext, task: StoredTask): Promise<Uint8Array> =>
  once(context, `${task.task_id}.png`, async () => lastFrameOf(await filmOrderFor(context, task)));

import { Fault, type ObservedKey } from '../../../../domain/index.ts';
import { type Recognized, recognizeCreate } from '../../../../reconcile/index.ts';
import type { Client } from '../../client.ts';

/** Recognizes the key that a killed process made under this name. Undefined: none has left a create of it. */
export async function recognizeOwn(
  name: string,
  { store, creates }: Client,
  keys: readonly ObservedKey[],
): Promise<Recognized | undefined> {
  const left = (await creates?.leftOf(name)) ?? [];
  return left.length === 0 ? undefined : await recognizeCreate(store, keys, left);
}

/** The same right before a create. Waits for a key that may still appear, and reads the key that it found once more. */
export async function settleOwn(name: string, client: Client, signal: AbortSignal): Promise<Recognized | undefined> {
  const { store, creates } = client;
  const left = (await creates?.leftOf(name)) ?? [];
  if (!creates || left.length === 0) return undefined;
  const found = await recognizeCreate(store, await store.recent(), left);
  if (found.state === 'own') {
    const now = await store.tryRead(found.key.id);
    return await recognizeCreate(store, [...(now ? [now] : []), ...found.twins], left);
  }
  const seconds = found.state === 'absent' ? creates.remainder(left) : 0;
  if (seconds > 0) await creates.protection(signal).wait({ seconds, names: [name] });
  if (signal.aborted) throw new Fault('gateway.interrupted', 'Interrupted while waiting for earlier creates.');
  return await recognizeCreate(store, await store.walk(), left);
}

import { asFault, FAULTS, type Fault, type KeyId, type KeySettings, type ObservedKey } from '../../domain/index.ts';
import type { SystemApi } from './system-api.ts';

/**
 * Writes whose content depends on what was read: they are never sent after a wait. A gateway may hold a request back for
 * minutes, and what somebody changed meanwhile would be reverted. So such a write leaves at once or not at all; the wait is
 * made by the read before the next attempt.
 */

/** Attempts of a write that the gateway holds back with 429; each next one follows a read that waited. */
const MOST_LIMITED = 20;
/** Attempts of a write that did not reach the gateway, or whose response was lost. */
const MOST_FAILED = 4;

function mayRepeat(fault: Fault, attempt: number): boolean {
  if (fault.code === 'gateway.rate-limited') return attempt < MOST_LIMITED;
  return attempt < MOST_FAILED && FAULTS[fault.code].retry !== 'no' && fault.code !== 'gateway.interrupted';
}

/** Reads a key and writes all of its settings, with nothing in between. A write whose response was lost is not repeated. */
export async function reviseKey(
  api: SystemApi,
  id: KeyId,
  revise: (now: ObservedKey) => Partial<KeySettings>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const base = await api.readKey(id);
    const patch = revise(base);
    const fault = await api.updateKey(base, patch).then(() => undefined, asFault);
    if (!fault) return;
    if (FAULTS[fault.code].retry === 'look' || !mayRepeat(fault, attempt)) throw fault;
  }
}

/**
 * Changes the status of a key, after a wait only if the key still passes the check. A write whose response was lost is looked
 * up, then repeated. Without a check nothing depends on what was read, and the write may wait.
 */
export async function switchKey(
  api: SystemApi,
  { id, enabled }: { readonly id: KeyId; readonly enabled: boolean },
  recheck: ((now: ObservedKey) => void) | undefined,
): Promise<void> {
  if (recheck === undefined) return await api.setKeyStatus(id, enabled);
  let lost: Fault | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const fault = await api.setKeyStatus(id, enabled, 'once').then(() => undefined, asFault);
    if (!fault) return;
    if (FAULTS[fault.code].retry === 'look') lost ??= fault;
    if (!mayRepeat(fault, attempt)) throw lost ?? fault;
    const now = await api.readKey(id).catch((thrown: unknown) => {
      throw lost ?? thrown;
    });
    if (now.status === (enabled ? 'enabled' : 'disabled')) return;
    recheck(now);
  }
}

/** Deletes the keys that still pass the check. Returns the number deleted by the last request. */
export async function removeKeys(
  send: (ids: readonly KeyId[]) => Promise<number>,
  ids: readonly KeyId[],
  read: (ids: readonly KeyId[]) => Promise<readonly KeyId[]>,
): Promise<number> {
  let [left, lost]: [readonly KeyId[], Fault | undefined] = [ids, undefined];
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const result = await send(left).catch(asFault);
    if (typeof result === 'number') return result;
    if (FAULTS[result.code].retry === 'look') lost ??= result;
    if (!mayRepeat(result, attempt)) throw lost ?? result;
    const asked = left;
    left = await read(asked).catch((thrown: unknown) => {
      throw lost ?? thrown;
    });
  }
  return 0;
}

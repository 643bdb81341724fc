import { Fault, type FaultCode, type KeyId } from '../../domain/index.ts';
import type { SystemApi } from './system-api.ts';

/** Turns faults with one of these codes into undefined; rethrows any other. */
export async function undefinedOn<T>(codes: readonly FaultCode[], result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (thrown) {
    if (thrown instanceof Fault && codes.includes(thrown.code)) return undefined;
    throw thrown;
  }
}

/** Turns a rejection into undefined when there is no such key. */
export async function undefinedIfGone<T>(api: SystemApi, id: KeyId, result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'gateway.refused') throw thrown;
    if ((await undefinedOn(['gateway.not-found'], api.readKey(id))) !== undefined) throw thrown;
    return undefined;
  }
}

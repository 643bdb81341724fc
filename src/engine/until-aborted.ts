import { Fault } from '../domain/index.ts';

/**
 * Rejects as soon as the signal aborts: a read is not worth waiting for.
 *
 * @throws Fault `gateway.interrupted`, with the reason of the signal as its cause
 */
export async function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return await work;
  const interrupted = (): Fault =>
    new Fault('gateway.interrupted', 'The run was interrupted while it read the account.', { cause: signal.reason });
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(interrupted());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

import { setImmediate as pass } from 'node:timers/promises';

/**
 * Gives callers their turns, one after the other. What one has led to, such as the next request, is sent before the turn of the next:
 * a connection that was used takes two passes of the event loop until it sends again.
 *
 * Otherwise, responses that have arrived together would all be handled first, and the server would wait for the requests that follow them.
 */
export function openTurns(): () => Promise<void> {
  let free = Promise.resolve();
  return () => {
    const turn = free;
    free = turn.then(() => pass()).then(() => pass());
    return turn;
  };
}

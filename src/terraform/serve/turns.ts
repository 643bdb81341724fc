/** The longest time for which calls are answered before their responses are sent. */
const TURN_MS = 1;

/**
 * Lets calls be handled one after the other: each begins when the one before it has been answered, or waits for something. Core sends
 * ten calls at a time, and they arrive together. Handled concurrently, step by step, none is answered before all are, and core has nothing
 * to do meanwhile. After a turn, which many short calls share, the event loop sends what was answered.
 *
 * @param now milliseconds, for the length of a turn
 */
export function openTurns(now: () => number): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  let begun: number | undefined;
  const begin = (): void => {
    begun = now();
    handleNext();
  };
  const proceed = (): void => {
    const isOver = begun !== undefined && now() - begun >= TURN_MS;
    // The event loop sends messages in one pass, and in the next one the trailers that end their calls.
    if (isOver) setImmediate(() => setImmediate(begin));
    else handleNext();
  };
  const handleNext = (): void => {
    const work = waiting.shift();
    if (work === undefined) {
      begun = undefined;
      return;
    }
    // After all that the call does without waiting.
    queueMicrotask(() => process.nextTick(proceed));
    work();
  };
  return (work) => {
    waiting.push(work);
    if (begun === undefined) begin();
  };
}

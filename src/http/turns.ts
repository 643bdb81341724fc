/** Returns what runs the tasks of each place one after the other, whatever becomes of the earlier ones. */
export function openTurns(): <T>(place: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (place, task) => {
    const mine = (last.get(place) ?? Promise.resolve()).then(task, task);
    last.set(place, mine);
    return mine;
  };
}

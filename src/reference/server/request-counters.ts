/** The route of a request, which counters count and failure scripts match. */
export interface Route {
  readonly method: string;
  /** The path as in the contract, `/api/token/{id}`; `(unknown)` for a path that is not an endpoint. */
  readonly pattern: string;
}

/** Requests by method and route, since the start or the last reset. */
export interface Counters {
  count(route: Route): void;
  read(): Readonly<Record<string, number>>;
  reset(): void;
}

export function routeCounters(): Counters {
  const counts = new Map<string, number>();
  return {
    count({ method, pattern }) {
      const name = `${method} ${pattern}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    read: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    reset: () => counts.clear(),
  };
}

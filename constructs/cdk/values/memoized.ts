/** Remembers the result for each object. Use it for one validation only, because apps change. */
export const memoized = <K extends object, V>(compute: (key: K) => V): ((key: K) => V) => {
  const results = new Map<K, V>();
  return (key) => {
    if (!results.has(key)) results.set(key, compute(key));
    return results.get(key) as V;
  };
};

/**
 * Groups equal items, in the order of the first of each: one line can stand for hundreds. Up to `most` equal ones stay alone.
 *
 * @param sameness the same text for equal items; undefined: the item stays alone
 */
export function foldEqual<T>(
  items: readonly T[],
  most: number,
  sameness: (item: T) => string | undefined,
): readonly (readonly [T, ...T[]])[] {
  const equal = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const same = sameness(item);
    if (same === undefined) continue;
    const known = equal.get(same);
    if (known) known.push(item);
    else equal.set(same, [item]);
  }
  return items.flatMap((item): readonly (readonly [T, ...T[]])[] => {
    const group = equal.get(sameness(item) ?? '');
    if (group === undefined || group.length <= most) return [[item]];
    return group[0] === item ? [group] : [];
  });
}

/** Groups items, in their order. An item whose ID is undefined belongs to no group. */
export function groupedBy<Item, Id>(
  items: readonly Item[],
  idOf: (item: Item) => Id | undefined,
): ReadonlyMap<Id, Item[]> {
  const groups = new Map<Id, Item[]>();
  for (const item of items) {
    const id = idOf(item);
    if (id === undefined) continue;
    const group = groups.get(id);
    if (group) group.push(item);
    else groups.set(id, [item]);
  }
  return groups;
}

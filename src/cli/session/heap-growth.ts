/** The length of a manifest, in characters, from which memory counts: about 25,000 keys. */
const LARGE = 500_000;

/** By how much the heap may grow over what is in use before V8 collects garbage, in percent. It decides itself otherwise, for up to 300. */
const GROWTH = '--heap-growing-percent=75';

/** The versions of Node.js whose V8 is known to have the flag: it complains about one that it does not know. */
const KNOWN = ['20', '22', '24'];

/**
 * Lets the heap of a run with a large manifest grow slowly. Most of what reading one makes is garbage soon after, and V8 would let
 * it become three times as much as the keys themselves before it looks.
 *
 * It applies to the whole process, so it is only for a program. A flag that differs makes Node.js compile those of its own modules that
 * it loads afterwards, so small manifests set none.
 */
export async function limitHeapGrowth(
  characters: number,
  { node }: Pick<NodeJS.ProcessVersions, 'node'>,
  setFlag?: (flag: string) => void,
): Promise<void> {
  if (characters < LARGE || !KNOWN.includes(node.split('.')[0] ?? '')) return;
  const set = setFlag ?? (await import('node:v8')).setFlagsFromString;
  set(GROWTH);
}

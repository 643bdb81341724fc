/**
 * The flags of V8 that let Node.js 20 wait before it optimizes what a program of a few seconds does not need optimized.
 *
 * - `parser`: the parser of HTTP, which is WebAssembly. By default it is compiled with the optimizing compiler after the first responses,
 *   which takes longer than a plan of some keys; from Node.js 22 on, V8 waits seven times as long.
 * - `functions`: each function, after it has run bytecode for 132 KiB by default. What is optimized after the first seconds of a command
 *   seldom pays for it.
 */
const FLAGS = {
  parser: '--wasm-tiering-budget=1000000000',
  functions: '--interrupt-budget=600000',
} as const;

type SetFlag = (flag: string) => void;

/**
 * Lets Node.js 20 optimize these later. It applies to the whole process, so it is only for a program that ends soon. Call it when
 * the program is about to connect: Node.js rejects the compiled code of its own modules as soon as a flag differs, and a process that
 * loads more of them would compile these.
 */
export async function optimizeLater(
  what: readonly (keyof typeof FLAGS)[],
  { node }: Pick<NodeJS.ProcessVersions, 'node'>,
  setFlag?: SetFlag,
): Promise<void> {
  if (!node.startsWith('20.')) return;
  const set = setFlag ?? (await import('node:v8')).setFlagsFromString;
  for (const each of what) set(FLAGS[each]);
}

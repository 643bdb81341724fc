/**
 * The flags of V8 that let Node.js wait before it optimizes what a program of a few seconds does not need optimized, and the versions
 * that need them, whose V8 is known to have them: it complains about a flag that it does not know.
 *
 * - `parser`: the parser of HTTP, which is WebAssembly. By default it is compiled with the optimizing compiler after the first responses,
 *   which takes longer than a plan of some keys.
 * - `functions`: each function, after it has run bytecode for 132 KiB by default. What is optimized after the first seconds of a command
 *   seldom pays for it.
 */
const FLAGS = {
  parser: { flag: '--wasm-tiering-budget=1000000000', versions: ['20', '22', '24'] },
  functions: { flag: '--interrupt-budget=600000', versions: ['20'] },
};

type SetFlag = (flag: string) => void;

/**
 * Lets Node.js optimize these later. It applies to the whole process, so it is only for a program that ends soon. Call it when
 * the program is about to connect: Node.js rejects the compiled code of its own modules as soon as a flag differs, and a process that
 * loads more of them would compile these.
 */
export async function optimizeLater(
  what: readonly (keyof typeof FLAGS)[],
  { node }: Pick<NodeJS.ProcessVersions, 'node'>,
  setFlag?: SetFlag,
): Promise<void> {
  const [major = ''] = node.split('.');
  const needed = what.map((each) => FLAGS[each]).filter(({ versions }) => versions.includes(major));
  if (needed.length === 0) return;
  const set = setFlag ?? (await import('node:v8')).setFlagsFromString;
  for (const { flag } of needed) set(flag);
}

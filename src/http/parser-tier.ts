type SetFlag = (flag: string) => void;

/**
 * Lets Node.js 20 compile the parser of HTTP, which is WebAssembly, with its optimizing compiler only after thousands of
 * responses. By default it does after the first ones, which takes longer than a plan of some keys; from Node.js 22 on, it waits
 * seven times as long. Only for a program that ends soon: it applies to the whole process.
 */
export async function postponeOptimizing(versions: NodeJS.ProcessVersions, setFlag?: SetFlag): Promise<void> {
  if (!versions.node.startsWith('20.')) return;
  const set = setFlag ?? (await import('node:v8')).setFlagsFromString;
  set('--wasm-tiering-budget=1000000000');
}

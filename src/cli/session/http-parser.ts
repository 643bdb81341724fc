/**
 * Lets Node.js 20 compile the parser of HTTP, which is WebAssembly, with its optimizing compiler only after thousands of
 * responses. By default it does after the first ones, which takes as long as all else that a plan of one key does; from
 * Node.js 22 on, it waits seven times as long.
 */
export async function postponeOptimizing(versions: NodeJS.ProcessVersions = process.versions): Promise<void> {
  if (!versions.node.startsWith('20.')) return;
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--wasm-tiering-budget=1000000000');
}

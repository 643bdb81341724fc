type SetFlag = (flag: string) => void;

/** In bytes of bytecode; the default of Node.js 20 is 132 KiB. */
const BUDGET = 600_000;

/**
 * Lets Node.js 20 optimize a function after it has run four times as long. A command takes some seconds: what is optimized after
 * the first of them seldom pays for it. Call it when the provider is about to connect: Node.js rejects the compiled code of its own modules as
 * soon as a flag differs, and a process that loads more of them would compile these.
 */
export async function optimizeLater(versions: NodeJS.ProcessVersions, setFlag?: SetFlag): Promise<void> {
  if (!versions.node.startsWith('20.')) return;
  const set = setFlag ?? (await import('node:v8')).setFlagsFromString;
  set(`--interrupt-budget=${BUDGET}`);
}

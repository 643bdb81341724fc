import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { listen } from './grpc.ts';
import { openLog } from './log.ts';
import { type PluginOptions, pluginServices } from './plugin.ts';

interface DebugOptions extends PluginOptions {
  /** The source addresses of the provider, one for each registry. */
  readonly addresses: readonly string[];
  readonly write: (text: string) => void;
  /** Resolves when the provider is to end. */
  readonly interrupted: Promise<unknown>;
}

/** Returns the value of `TF_REATTACH_PROVIDERS` that makes core connect to this process instead of starting another. */
export function reattachment(addresses: readonly string[], socket: string): string {
  const served = {
    Protocol: 'grpc',
    ProtocolVersion: 6,
    Pid: process.pid,
    // Core neither ends a provider in a test nor expects it to have a certificate.
    Test: true,
    Addr: { Network: 'unix', String: socket },
  };
  return JSON.stringify(Object.fromEntries(addresses.map((address) => [address, served])));
}

const instructions = (variable: string): string =>
  `The provider is running. Attach Terraform or OpenTofu to it in another terminal:

export TF_REATTACH_PROVIDERS='${variable}'

Ctrl-C ends it.
`;

/**
 * Serves the provider until this process is interrupted, for a debugger: core connects instead of starting it. Each connection
 * has a provider of its own that ends with it, as each configuration of the provider otherwise has a process of its own; core
 * does not shut down a provider that it has not started.
 */
export async function serveForDebugging({ addresses, env, mount, write, interrupted }: DebugOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kp-'));
  const log = openLog({ env, write: (line) => process.stderr.write(line), now: () => new Date() });
  const open = new Map<Socket, Promise<void>>();
  let count = 0;
  const serveConnection = async (core: Socket): Promise<void> => {
    const stop = new AbortController();
    const mounted = mount(stop, log);
    count += 1;
    const socket = join(folder, `${count}`);
    const listening = await listen({
      socket,
      services: [mounted, ...pluginServices(mounted.close, () => undefined)],
      stop: stop.signal,
      onDefect: (method, thrown) => log('error', `${method} failed`, { error: String(thrown) }),
    });
    // Either side may leave at any time.
    await pipeline(core, connect(socket), core).catch(() => undefined);
    stop.abort(new Error('core has disconnected'));
    await mounted.close();
    listening.close();
  };
  const server = createServer((core) => {
    open.set(
      core,
      serveConnection(core).finally(() => open.delete(core)),
    );
  });
  const socket = join(folder, 's');
  await once(server.listen(socket), 'listening');
  write(instructions(reattachment(addresses, socket)));
  await interrupted;
  server.close();
  for (const core of open.keys()) core.destroy();
  await Promise.all(open.values());
  rmSync(folder, { recursive: true, force: true });
}

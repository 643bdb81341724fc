import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blankCredentials } from '../../domain/index.ts';
import { BROKER, CONTROLLER, HEALTH, SERVICE_NAMES, STDIO } from '../protocol/services.ts';
import { issueCertificate } from './certificate.ts';
import { type Listening, listen, type MountedService } from './grpc.ts';
import {
  type HandshakeRequest,
  handshakeLine,
  NOT_RUN_BY_HAND,
  supportsProtocol,
  tryReadHandshake,
} from './handshake.ts';
import { consoleOf, openLog, type PluginLog } from './log.ts';

export interface PluginOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The provider’s own service. Abort `stop` when core stops the provider. */
  readonly mount: (
    stop: AbortController,
    log: PluginLog,
  ) => MountedService & {
    /** Called when core has no further call, and has the response to each. */
    readonly close: () => Promise<void>;
  };
}

/** The response to `Shutdown` must be sent before the process ends; core waits two seconds. */
const SHUTDOWN_DELAY_MS = 5;
const PARENT_POLL_MS = 2000;
const SERVING = 1;

interface PluginLife {
  readonly quit: () => void;
  listening?: Listening;
  /** Core has requested the end. */
  isClosing: boolean;
}

/** Ends the process with core, however core ends. */
function endWithCore(folder: string, log: PluginLog): PluginLife {
  const life: PluginLife = {
    isClosing: false,
    quit() {
      life.listening?.close();
      process.exit(0);
    },
  };
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Ctrl-C reaches the whole process group: core finishes its work and then stops the provider.
  process.on('SIGINT', () => log('debug', 'interrupted; waiting for core to stop the provider'));
  process.on('SIGTERM', life.quit);
  const parent = process.ppid;
  // When core was killed, nothing else stops this process.
  setInterval(() => process.ppid !== parent && life.quit(), PARENT_POLL_MS).unref();
  return life;
}

/** Core shows output that begins with `panic: ` as the crash of a provider. */
function reportCrashes(): void {
  const crash = (thrown: unknown): void => {
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    // Users paste it into bug reports.
    process.stderr.write(`panic: ${blankCredentials(stack)}\n`, () => process.exit(2));
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

/** The services that core expects next to the provider’s own. */
export const pluginServices = (close: () => Promise<void>, quit: () => void): readonly MountedService[] => [
  { service: SERVICE_NAMES.health, methods: HEALTH, handlers: { check: () => ({ status: SERVING }) } },
  {
    service: SERVICE_NAMES.controller,
    methods: CONTROLLER,
    handlers: {
      async shutdown() {
        await close();
        setTimeout(quit, SHUTDOWN_DELAY_MS);
        return {};
      },
    },
  },
  { service: SERVICE_NAMES.stdio, methods: STDIO, handlers: {} },
  { service: SERVICE_NAMES.broker, methods: BROKER, handlers: {} },
];

async function serve({ mount }: PluginOptions, request: HandshakeRequest, log: PluginLog): Promise<void> {
  // Mode 0700, and a short name: the path of a socket is limited to about a hundred characters.
  const folder = mkdtempSync(join(request.socketFolder ?? tmpdir(), 'kp-'));
  const life = endWithCore(folder, log);
  const stop = new AbortController();
  const { clientCertificate } = request;
  const mounted = mount(stop, log);
  const close = (): Promise<void> => {
    life.isClosing = true;
    return mounted.close();
  };
  const own = clientCertificate === undefined ? undefined : issueCertificate(Date.now());
  const socket = join(folder, 's');
  life.listening = await listen({
    socket,
    services: [mounted, ...pluginServices(close, life.quit)],
    tls: own && clientCertificate ? { ...own, clientCertificate } : undefined,
    stop: stop.signal,
    // Core holds this stream from its handshake to its end. A provider that outlived a killed core would write what nobody stores.
    onLeave: (service) => service === SERVICE_NAMES.stdio && !life.isClosing && life.quit(),
    onDefect: (method, thrown) => log('error', `${method} failed`, { error: String(thrown) }),
  });
  process.stdout.write(handshakeLine(socket, own?.der, request));
}

/**
 * Runs this process as a plugin of Terraform or OpenTofu: performs the handshake, serves over mutual TLS with certificates
 * of its own, and ends with core. Exits with 1 when Terraform or OpenTofu has not started it.
 */
export async function runPlugin(options: PluginOptions): Promise<void> {
  const { env } = options;
  const request = tryReadHandshake(env);
  if (request === undefined) {
    process.stderr.write(NOT_RUN_BY_HAND);
    process.exitCode = 1;
    return;
  }
  const log = openLog({ env, write: (line) => process.stderr.write(line), now: () => new Date() });
  reportCrashes();
  globalThis.console = consoleOf(log);
  if (!supportsProtocol(env)) log('warn', 'core does not offer protocol 6', { offered: env.PLUGIN_PROTOCOL_VERSIONS });
  await serve(options, request, log);
}

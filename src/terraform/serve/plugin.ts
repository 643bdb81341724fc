import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blankCredentials } from '../../domain/index.ts';
import { BROKER, CONTROLLER, HEALTH, SERVICE_NAMES, STDIO } from '../protocol/services.ts';
import { issueCertificate } from './certificate.ts';
import { type Listening, listen, type Mounted } from './grpc.ts';
import { handshakeLine, type Invitation, isOffered, NOT_FOR_PEOPLE, tryReadInvitation } from './handshake.ts';
import { consoleOf, type Log, openLog } from './log.ts';

export interface PluginOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is served beside what every plugin has to. `stop` aborts when core wants all to end. */
  readonly mount: (stop: AbortController, log: Log) => Mounted;
}

/** The answer to `Shutdown` has to be out before the process ends; core waits two seconds. */
const LAST_WORDS_MS = 5;
const PARENT_TICK_MS = 2000;
const SERVING = 1;

/** Ends the process in every way in which it may come to its end, and never later than core. */
function endWithCore(folder: string, log: Log): { readonly quit: () => void; listening?: Listening } {
  const life: { quit: () => void; listening?: Listening } = {
    quit() {
      life.listening?.close();
      process.exit(0);
    },
  };
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // Ctrl-C reaches the whole group: core finishes what it is at, and tells us when to stop.
  process.on('SIGINT', () => log('debug', 'interrupted; core says when to stop'));
  process.on('SIGTERM', life.quit);
  const parent = process.ppid;
  // Core was killed: nobody will ever tell us to end.
  setInterval(() => process.ppid !== parent && life.quit(), PARENT_TICK_MS).unref();
  return life;
}

/** Core shows what stands after `panic: ` as the crash of a provider. */
function reportCrashes(): void {
  const crash = (thrown: unknown): void => {
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    // People paste it into reports of defects.
    process.stderr.write(`panic: ${blankCredentials(stack)}\n`, () => process.exit(2));
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

const housekeeping = (quit: () => void): readonly Mounted[] => [
  { service: SERVICE_NAMES.health, calls: HEALTH, answers: { check: () => ({ status: SERVING }) } },
  {
    service: SERVICE_NAMES.controller,
    calls: CONTROLLER,
    answers: {
      shutdown() {
        setTimeout(quit, LAST_WORDS_MS);
        return {};
      },
    },
  },
  { service: SERVICE_NAMES.stdio, calls: STDIO, answers: {} },
  { service: SERVICE_NAMES.broker, calls: BROKER, answers: {} },
];

async function serve({ mount }: PluginOptions, invitation: Invitation, log: Log): Promise<void> {
  // Of mode 0700, and with a short name: the path of a socket may have about a hundred characters.
  const folder = mkdtempSync(join(invitation.socketFolder ?? tmpdir(), 'kp-'));
  const life = endWithCore(folder, log);
  const stop = new AbortController();
  const { clientCertificate } = invitation;
  const own = clientCertificate === undefined ? undefined : issueCertificate(Date.now());
  const socket = join(folder, 's');
  life.listening = await listen({
    socket,
    mounted: [mount(stop, log), ...housekeeping(life.quit)],
    tls: own && clientCertificate ? { ...own, clientCertificate } : undefined,
    stop: stop.signal,
    onDefect: (call, thrown) => log('error', `${call} failed`, { error: String(thrown) }),
  });
  process.stdout.write(handshakeLine(socket, own?.der, invitation));
}

/**
 * Runs this process as a plugin of Terraform or OpenTofu: handshake, mutual TLS with certificates of one life, and an end
 * with core’s. Ends with 1 when nobody who speaks the protocol has started it.
 */
export async function runPlugin(options: PluginOptions): Promise<void> {
  const { env } = options;
  const invitation = tryReadInvitation(env);
  if (invitation === undefined) {
    process.stderr.write(NOT_FOR_PEOPLE);
    process.exitCode = 1;
    return;
  }
  const log = openLog({ env, write: (line) => process.stderr.write(line), now: () => new Date() });
  reportCrashes();
  globalThis.console = consoleOf(log);
  if (!isOffered(env)) log('warn', 'core does not offer protocol 6', { offered: env.PLUGIN_PROTOCOL_VERSIONS });
  await serve(options, invitation, log);
}

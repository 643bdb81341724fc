import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { ShownTexts } from '../disk/index.ts';
import { type AccountRef, once } from '../domain/index.ts';
import { openSharedClaim } from '../engine/index.ts';
import type { KeptJournal, LockHolder, LockTime } from '../reconcile/index.ts';
import { keyplaneProvider } from './keyplane/provider.ts';
import { traceLog } from './keyplane/trace-log.ts';
import { handlersOf } from './provider/handlers.ts';
import { providerSchemaJson } from './provider/schema-json.ts';
import type { PluginEnvironment } from './serve/handshake.ts';
import type { PluginLog } from './serve/log.ts';
import { statePlace } from './serve/state-place.ts';

const now = (): number => Math.floor(Date.now() / 1000);

async function openJournal(account: AccountRef, env: PluginEnvironment): Promise<KeptJournal> {
  // Loaded late: a process that only validates writes nothing.
  const { commandLine, openFileJournal } = await import('../disk/index.ts');
  const keeper = await statePlace(env, { folder: process.cwd(), words: await commandLine(process.ppid) });
  return openFileJournal({ env, account, now, pid: process.pid, random: Math.random, keeper });
}

/** The time in which most gateways allow 20 reveals. */
const REVEALS_WITHIN_SECONDS = 1200;

async function openReveals(account: AccountRef, env: PluginEnvironment) {
  const { openRecentReveals } = await import('../disk/index.ts');
  return openRecentReveals({ env, account, now, within: REVEALS_WITHIN_SECONDS });
}

const lockTime: LockTime = {
  steady: () => performance.now(),
  wall: Date.now,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
  every(ms, work) {
    const timer = setInterval(() => void work(), ms).unref();
    return () => clearInterval(timer);
  },
  random: Math.random,
};

/** Core starts a process for each alias. They work as one, because core may wait for one before it ends another. */
async function teamOfCore(started: string | null): Promise<string | undefined> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined);
  if (started === null || boot === undefined) return undefined;
  const { processNamespace } = await import('../disk/index.ts');
  const core = [hostname(), boot.trim(), await processNamespace(), process.ppid, started].join(' ');
  return createHash('sha256').update(core).digest('hex').slice(0, 16);
}

async function claimHolder(env: PluginEnvironment): Promise<LockHolder> {
  const { jobAddress, processStart } = await import('../disk/index.ts');
  const run = jobAddress(env);
  const team = await teamOfCore(await processStart(process.ppid));
  return {
    process: process.pid,
    host: hostname(),
    since: now(),
    ...(run === undefined ? {} : { run }),
    ...(team === undefined ? {} : { team }),
  };
}

async function openShown(env: PluginEnvironment): Promise<ShownTexts | undefined> {
  const { openShownTexts, processStart } = await import('../disk/index.ts');
  const run = await teamOfCore(await processStart(process.ppid));
  return run === undefined ? undefined : openShownTexts({ env, run, pid: process.pid, now: Date.now });
}

/** Core starts a process for the plan and another one for the apply. */
function shownByOthers(env: PluginEnvironment) {
  const shown = once(() => openShown(env));
  return async (text: string): Promise<boolean> => (await (await shown())?.isShown(text)) ?? false;
}

/** Opens the provider in the world of this process. @param stop aborted when core stops it */
export function openServed(env: PluginEnvironment, stop: AbortController, log: PluginLog) {
  const provider = keyplaneProvider(env, now, {
    async beforeConnecting() {
      const { optimizeLater } = await import('../http/index.ts');
      await optimizeLater(['parser', 'functions'], process.versions);
    },
    trace: traceLog(log, Date.now),
    openJournal: (account) => openJournal(account, env),
    openReveals: (account) => openReveals(account, env),
    isShown: shownByOthers(env),
    onWait: ({ seconds, names }) =>
      log('warn', `waiting ${seconds} s: the create of ${names.join(', ')} may still take effect`),
    openClaim: (claims, terms) =>
      openSharedClaim(claims, terms, {
        time: lockTime,
        holder: () => claimHolder(env),
        onWait({ seconds, abandonedAfter }) {
          const end = abandonedAfter === undefined ? '' : `; if it was killed, its lock ends in ${abandonedAfter} s`;
          log('warn', `waiting up to ${Math.ceil(seconds)} s for another run to finish${end}`);
        },
        onUnavailable: (message) => log('warn', `${message} Other runs are not kept out.`),
      }),
  });
  return { handlers: handlersOf(provider, stop), close: () => provider.close() };
}

/** The schema of the provider as core itself prints it. @param address the source address of the provider */
export const schemaText = (address: string, env: PluginEnvironment): string =>
  JSON.stringify(providerSchemaJson(address, keyplaneProvider(env, now)));

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { ShownTexts } from '../disk/index.ts';
import type { AccountRef } from '../domain/index.ts';
import { openSharedClaim } from '../engine/index.ts';
import type { KeptJournal, LockHolder, LockTime } from '../reconcile/index.ts';
import { keyplaneProvider } from './keyplane/provider.ts';
import { traceLog } from './keyplane/trace-log.ts';
import { PROVIDER, SERVICE_NAMES } from './protocol/services.ts';
import { handlersOf } from './provider/handlers.ts';
import { providerSchemaJson } from './provider/schema-json.ts';
import { type PluginOptions, runPlugin } from './serve/plugin.ts';
import { statePlace } from './serve/state-place.ts';

const { env } = process;

/** Terraform and OpenTofu complete the same source with their own registry. */
const ADDRESS = 'registry.terraform.io/keyplane/keyplane';
const ADDRESSES = [ADDRESS, 'registry.opentofu.org/keyplane/keyplane'];

/** Defined by the bundle. */
declare const KEYPLANE_VERSION: string | undefined;

const now = (): number => Math.floor(Date.now() / 1000);

async function openJournal(account: AccountRef): Promise<KeptJournal> {
  // Loaded late: a process that only serves the schema writes nothing.
  const { openFileJournal } = await import('../disk/index.ts');
  const keeper = await statePlace(env, process.cwd());
  return openFileJournal({ env, account, now, pid: process.pid, random: Math.random, keeper });
}

/** The time in which most gateways allow 20 reveals. */
const REVEALS_WITHIN_SECONDS = 1200;

async function openReveals(account: AccountRef) {
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
  const core = [hostname(), boot.trim(), process.ppid, started].join(' ');
  return createHash('sha256').update(core).digest('hex').slice(0, 16);
}

async function claimHolder(): Promise<LockHolder> {
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

async function openShown(): Promise<ShownTexts | undefined> {
  const { openShownTexts, processStart } = await import('../disk/index.ts');
  const run = await teamOfCore(await processStart(process.ppid));
  return run === undefined ? undefined : openShownTexts({ env, run, pid: process.pid, now: Date.now });
}

/** Core starts a process for the plan and another one for the apply. */
function shownByOthers() {
  let shown: Promise<ShownTexts | undefined> | undefined;
  return async (text: string): Promise<boolean> => {
    shown ??= openShown();
    return (await (await shown)?.isShown(text)) ?? false;
  };
}

const mount: PluginOptions['mount'] = (stop, log) => {
  const provider = keyplaneProvider(env, now, {
    async beforeConnecting() {
      const { postponeOptimizing } = await import('../http/index.ts');
      await postponeOptimizing(process.versions);
    },
    trace: traceLog(log, Date.now),
    openJournal,
    openReveals,
    isShown: shownByOthers(),
    onWait: ({ seconds, names }) =>
      log('warn', `waiting ${seconds} s: the create of ${names.join(', ')} may still take effect`),
    openClaim: (claims, terms) =>
      openSharedClaim(claims, terms, {
        time: lockTime,
        holder: claimHolder,
        onWait: ({ seconds }) => log('warn', `waiting up to ${Math.ceil(seconds)} s for another run to finish`),
        onUnavailable: (message) => log('warn', `${message} Other runs are not kept out.`),
      }),
  });
  const { close } = provider;
  return { service: SERVICE_NAMES.provider, methods: PROVIDER, handlers: handlersOf(provider, stop), close };
};

const schema = (): string => JSON.stringify(providerSchemaJson(ADDRESS, keyplaneProvider(env, now)));

async function debug(): Promise<void> {
  const { serveForDebugging } = await import('./serve/debug.ts');
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const write = (text: string) => process.stdout.write(text);
  await serveForDebugging({ env, mount, addresses: ADDRESSES, write, interrupted });
  process.exit(0);
}

const version = (): string =>
  `terraform-provider-keyplane ${typeof KEYPLANE_VERSION === 'string' ? KEYPLANE_VERSION : 'not bundled'}\n`;

// Go’s providers take one dash and two.
const [, , word = ''] = process.argv;
const flag = word.replace(/^--/, '-');
// No top-level await: the bundle is CommonJS, which does not have it.
if (word === 'schema') process.stdout.write(`${schema()}\n`);
else if (flag === '-version') process.stdout.write(version());
else if (flag === '-debug') void debug();
else void runPlugin({ env, mount });

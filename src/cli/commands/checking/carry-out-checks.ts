import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { AlternateRouteOptions, Selected } from '../../../checks/index.ts';
import { hasEnded, processRef } from '../../../disk/index.ts';
import {
  type CheckReport,
  type Decimal,
  type DesiredKey,
  type KeyId,
  type ObservedKey,
  quotaFromUsd,
  type Secret,
  type UnixSeconds,
} from '../../../domain/index.ts';
import { type CallbackReceiver, type Gateway, openCallbackReceiver } from '../../../gateway/index.ts';
import type { Manifest } from '../../../manifest/index.ts';
import { withWordedHint } from '../../output/remedies.ts';
import type { Context } from '../../program/command.ts';
import { has, text } from '../../program/option.ts';
import { open } from '../../session/connect.ts';
import { RUN_AGAIN } from '../../session/interruption.ts';
import { manifestPaths } from '../../session/manifest-input.ts';
import type { GatewaySettings } from '../../session/settings.ts';
import { listenAddress } from './options.ts';
import { type CheckProgress, watchChecks } from './progress.ts';

/** The checks of a run, and their account. */
export interface CheckExecution {
  readonly manifest: Manifest;
  readonly gateway: Gateway;
  readonly settings: GatewaySettings;
  readonly keys: readonly ObservedKey[];
  readonly quotaPerUnit: Decimal;
  readonly selected: readonly Selected[];
  /** Keys that an apply left disabled, with the reason why their checks are skipped. */
  readonly leftDisabled?: ReadonlyMap<string, string>;
  /** Dollars. */
  readonly cap?: Decimal | undefined;
  /** The secrets of keys that are known already, as their readers have them. */
  readonly secrets?: ReadonlyMap<KeyId, Secret>;
}

/** The folder of the first manifest, or that manifest when it is a folder. */
async function ledgerPath({ given, io }: Context): Promise<string> {
  const named = text(given, 'ledger');
  if (named !== undefined) return resolve(io.cwd, named);
  const manifest = resolve(io.cwd, manifestPaths({ given })[0] as string);
  const isFolder = (await stat(manifest).catch(() => undefined))?.isDirectory() === true;
  return join(isFolder ? manifest : dirname(manifest), 'keyplane.tasks.jsonl');
}

async function taskFile(context: Context, { gateway }: CheckExecution) {
  const { openTaskFile } = await import('../../../checks/index.ts');
  const { io } = context;
  const path = await ledgerPath(context);
  return openTaskFile({
    path,
    account: gateway.store.account,
    usage: () => gateway.store.usage(),
    run: randomUUID(),
    owner: await processRef(io.pid, io.host),
    isAlive: async (owner) => (await hasEnded(owner, io.host)) !== true,
    now: () => io.clock() * 1000,
    resubmit: has(context.given, 'resubmit'),
  });
}

/** The declared reasons why keys do not work. */
function declaredOff(keys: readonly DesiredKey[], now: UnixSeconds): ReadonlyMap<string, string> {
  const reasons = keys.flatMap(({ name, enabled, expires }): [string, string][] => {
    if (enabled === false) return [[name, 'the key is disabled, as declared']];
    return expires != null && expires <= now ? [[name, 'the key is expired, as declared']] : [];
  });
  return new Map(reasons);
}

/** Resources that a run opens and closes. */
interface Opened {
  readonly alternateRoute?: AlternateRouteOptions;
  readonly receiver?: CallbackReceiver;
  close(): Promise<void>;
}

async function openAlternateRoute(context: Context, settings: GatewaySettings) {
  const { given } = context;
  const address = text(given, 'source-address');
  const proxy = text(given, 'vantage-proxy');
  if (address === undefined && proxy === undefined) return undefined;
  const gateway = await open(context, {
    ...settings,
    ...(address === undefined ? {} : { sourceAddress: address }),
    ...(proxy === undefined ? {} : { proxy: { http: proxy, https: proxy } }),
  });
  const through = proxy === undefined ? '' : 'through the proxy of --vantage-proxy';
  const description = [address === undefined ? '' : `from ${address}`, through].filter(Boolean).join(' ');
  // Behind a proxy the gateway sees the proxy's address, and that is not known here.
  const seen = proxy === undefined && address !== undefined ? { address } : {};
  return { gateway, options: { inference: gateway.inference, description, ...seen } };
}

async function openReceiver({ given, io }: Context): Promise<CallbackReceiver | undefined> {
  const place = listenAddress({ given }, 'callback-listen');
  if (place === undefined) return undefined;
  // Nobody who does not know the path can notify.
  const path = `/${Math.floor(io.random() * 2 ** 48).toString(36)}${randomUUID()}`;
  const receiver = await openCallbackReceiver({ ...place, path });
  const outside = text(given, 'callback-url');
  if (outside === undefined) return receiver;
  const url = `${outside.replace(/\/+$/, '')}${path}`;
  return { ...receiver, url };
}

async function openPlaces(context: Context, settings: GatewaySettings): Promise<Opened> {
  const receiver = await openReceiver(context);
  const alternateRoute = await openAlternateRoute(context, settings);
  return {
    ...(receiver ? { receiver } : {}),
    ...(alternateRoute ? { alternateRoute: alternateRoute.options } : {}),
    async close() {
      await receiver?.close();
      await alternateRoute?.gateway.close();
    },
  };
}

/** Runs the selected checks, with progress. The first Ctrl-C lets running checks finish; there is a report in every case. */
export async function carryOutChecks(
  context: Context,
  proof: CheckExecution,
  watcher?: CheckProgress,
): Promise<CheckReport> {
  const { runChecks } = await import('../../../checks/index.ts');
  const { gateway, settings, keys, selected, quotaPerUnit, cap, manifest, secrets, leftDisabled = new Map() } = proof;
  const { interruption } = context;
  const places = await openPlaces(context, settings);
  const progress = watcher ?? watchChecks(context, quotaPerUnit);
  const announce = (): void => {
    progress.stop();
    context.print('Interrupted: waiting for running requests. Interrupt again to exit immediately.');
  };
  const work = () =>
    runChecks({
      gateway,
      keys,
      selected,
      declaredOff: new Map([...leftDisabled, ...declaredOff(manifest.desired.keys, context.now())]),
      quotaPerUnit,
      tasks,
      clock: { now: () => context.io.clock() * 1000, sleep: systemClock.sleep },
      concurrency: settings.concurrency,
      signal: interruption.signal,
      cap: cap && quotaFromUsd(cap, quotaPerUnit),
      alternateRoute: places.alternateRoute,
      receiver: places.receiver,
      secrets,
      onEvent: progress.onEvent,
    });
  const tasks = await taskFile(context, proof);
  const { systemClock } = await import('../../../http/index.ts');
  try {
    const unfinished = () => ({ left: progress.left(), hint: RUN_AGAIN });
    const report = await interruption.finishing(work, { announce, open: unfinished });
    return { ...report, results: report.results.map((result) => withWordedHint(result)) };
  } finally {
    progress.stop();
    await places.close();
  }
}

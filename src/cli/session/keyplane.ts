import { resolve } from 'node:path';
import { usageCacheAt } from '../../disk/index.ts';
import type { DesiredState } from '../../domain/index.ts';
import { type Gateway, type RemoteClock, watchGatewayClock } from '../../gateway/index.ts';
import { createKeyplane, type Keyplane, type KeyplaneEvent, type PlanRequest } from '../../library/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { outdent } from '../output/layout/columns.ts';
import { renderLongSpan } from '../output/layout/moment.ts';
import type { Context } from '../program/command.ts';
import { count, has, text, texts } from '../program/option.ts';
import { withGateway } from './connect.ts';
import { machineOf } from './io.ts';
import { refuseEmptySelection, refuseUnmatched, selectionOf } from './key-filter.ts';
import { settleSeconds } from './late-creates.ts';
import { lockOptions } from './lock/locks.ts';
import { readManifestOf } from './manifest-input.ts';
import { type RunProgress, showRun } from './run-progress.ts';
import type { GatewaySettings } from './settings.ts';
import { sinksOf } from './sinks.ts';

/** The engine for the account that the command line names, and what else a command needs. */
export interface KeyplaneSession {
  readonly keyplane: Keyplane;
  readonly request: PlanRequest;
  readonly manifest: Manifest;
  readonly gateway: Gateway;
  readonly settings: GatewaySettings;
  readonly progress: RunProgress;
}

/** The limits that flags lift for this one run, and the keys that flags select. */
export function requestOf({ given }: Context): PlanRequest {
  const deletes = count(given, 'max-deletes');
  const { names, owners, labels } = selectionOf(given);
  return {
    ...(names && { only: names }),
    ...(owners && { owners }),
    ...(labels && { labels }),
    enable: texts(given, 'allow-enable'),
    assumeLogComplete: has(given, 'assume-log-complete'),
    endAnyway: has(given, 'end-anyway'),
    allow: {
      ...(deletes === undefined ? {} : { deletes }),
      ...(has(given, 'allow-protected') ? { protected: true } : {}),
      lastKey: has(given, 'allow-last-key'),
      unknownGroups: has(given, 'allow-unknown-groups'),
      unknownModels: has(given, 'allow-unknown-models'),
    },
  };
}

/** The flags about the usage log: the pages to read, and the cache of its sums. */
function usageOptions({ given, io }: Context, { store }: Gateway) {
  const maxLogPages = count(given, 'max-log-pages', 1);
  const path = text(given, 'usage-cache');
  return {
    ...(maxLogPages === undefined ? {} : { maxLogPages }),
    ...(path === undefined ? {} : { usageCache: usageCacheAt(resolve(io.cwd, path), store.account) }),
  };
}

/** Reads the manifest, connects, and runs work with the engine. A wrong flag is reported before anything is sent. */
export async function withKeyplane<T>(context: Context, work: (session: KeyplaneSession) => Promise<T>): Promise<T> {
  const flags = requestOf(context);
  const manifest = await readManifestOf(context);
  const basis = await declaredBefore(context, manifest.gateway);
  const commit = await savedCommit(context, manifest);
  const request = {
    ...flags,
    ...(commit === undefined ? {} : { commit }),
    ...(basis === undefined ? {} : { earlier: { desired: basis } }),
  };
  return await withManifest(context, { manifest, request }, work);
}

/** The state that `--base` names. The code that reads commits is loaded on use. */
async function declaredBefore(context: Context, account: Manifest['gateway']): Promise<DesiredState | undefined> {
  if (!has(context.given, 'base')) return undefined;
  const { readBase } = await import('./base/read-base.ts');
  return await readBase(context, account);
}

/** The commit that holds the manifest of a plan that is saved. */
async function savedCommit({ io, given, command }: Context, manifest: Manifest): Promise<string | undefined> {
  const isSaved = command.ownsOut === true && has(given, 'out');
  if (!isSaved) return undefined;
  const { tryCommitOf } = await import('./base/git.ts');
  return await tryCommitOf(manifest.files, io);
}

/** Is nothing of the result for programs, or for later? */
const onlyShows = (context: Context): boolean =>
  context.format === 'text' && !has(context.given, 'out') && !has(context.given, 'report');

/** Runs work with the engine and a manifest that was not read from files. */
export async function withManifest<T>(
  context: Context,
  { manifest, request }: Pick<KeyplaneSession, 'manifest' | 'request'>,
  work: (session: KeyplaneSession) => Promise<T>,
): Promise<T> {
  const clock = watchGatewayClock(context.io.clock);
  const sinks = await sinksOf(context, manifest);
  const onGateway = async (gateway: Gateway, settings: GatewaySettings): Promise<T> => {
    const progress = showRun(context);
    const options = {
      store: gateway.store,
      ...lockOptions(context),
      settleMs: settleSeconds(context) * 1000,
      clock: { now: () => new Date(clock.now() * 1000) },
      concurrency: settings.concurrency,
      signal: context.interruption.signal,
      ...(sinks ? { sinks } : {}),
      onEvent(event: KeyplaneEvent) {
        progress.onEvent(event);
        if (event.kind === 'read') warnOfClock(context, clock);
      },
      ...usageOptions(context, gateway),
    };
    const keyplane = createKeyplane(options, {
      gateway,
      machine: machineOf(context.io),
      releaseAtEnd: context.interruption.beforeEnd,
      onlyShows: onlyShows(context),
      inspect({ unmatched, selectsNothing }) {
        refuseUnmatched(unmatched);
        refuseEmptySelection(context, selectsNothing);
      },
    });
    try {
      return await work({ keyplane, request, manifest, gateway, settings, progress });
    } finally {
      progress.stop();
    }
  };
  return await withGateway(context, manifest.gateway, onGateway, clock.watch);
}

function warnOfClock({ print, paint, width }: Context, clock: RemoteClock): void {
  const ahead = clock.skew();
  if (ahead === undefined) return;
  const side = ahead > 0 ? 'behind' : 'ahead of';
  const warning = `The clock of this machine is ${renderLongSpan(ahead)} ${side} the gateway’s. Expiry and budget windows follow the gateway’s clock.`;
  print(outdent(`${paint.err.change(paint.err.strong('warning'))}: ${warning}`, width.err).join('\n'));
}

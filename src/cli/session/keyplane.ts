import type { ManifestRef } from '../../domain/index.ts';
import { createKeyplane, type Keyplane, type RunRequest } from '../../engine/index.ts';
import { type Gateway, type RemoteClock, watchGatewayClock } from '../../gateway/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { outdent } from '../output/layout/columns.ts';
import { renderLongSpan } from '../output/layout/moment.ts';
import type { Context } from '../program/command.ts';
import { count, has, text, texts } from '../program/option.ts';
import { tryCommitOf } from './base/git.ts';
import { readBase } from './base/read-base.ts';
import { withGateway } from './connect.ts';
import { usageCacheAt } from './files/usage-cache.ts';
import { selectionOf } from './key-filter.ts';
import { lateCreatesOf } from './late-creates.ts';
import { locksOf } from './lock/locks.ts';
import { readManifestOf } from './manifest-input.ts';
import { type RunProgress, showRun } from './run-progress.ts';
import type { GatewaySettings } from './settings.ts';

/** The engine for the account that the command line names, and what else a command needs. */
export interface KeyplaneSession {
  readonly keyplane: Keyplane;
  readonly request: RunRequest;
  readonly manifest: Manifest;
  readonly gateway: Gateway;
  readonly settings: GatewaySettings;
  readonly progress: RunProgress;
}

/** The limits that flags lift for this one run, and the keys that flags select. */
export function requestOf({ given }: Context): RunRequest {
  const maxDeletes = count(given, 'max-deletes');
  const { names, owners, labels } = selectionOf(given);
  return {
    ...(names && { only: names }),
    ...(owners && { owners }),
    ...(labels && { labels }),
    allowEnable: texts(given, 'allow-enable'),
    assumeLogComplete: has(given, 'assume-log-complete'),
    allow: {
      ...(maxDeletes === undefined ? {} : { maxDeletes }),
      allowLastKey: has(given, 'allow-last-key'),
      allowProtected: has(given, 'allow-protected'),
      allowUnknownGroups: has(given, 'allow-unknown-groups'),
      allowUnknownModels: has(given, 'allow-unknown-models'),
    },
  };
}

/** The flags about the usage log: the pages to read, and the cache of its sums. */
function usageOptions({ given, io }: Context, { store }: Gateway) {
  const maxLogPages = count(given, 'max-log-pages', 1);
  const path = text(given, 'usage-cache');
  return {
    ...(maxLogPages === undefined ? {} : { maxLogPages }),
    ...(path === undefined ? {} : { usageCache: usageCacheAt(path, { cwd: io.cwd, account: store.account }) }),
  };
}

/** Reads the manifest, connects, and runs work with the engine. A wrong flag is reported before anything is sent. */
export async function withKeyplane<T>(context: Context, work: (session: KeyplaneSession) => Promise<T>): Promise<T> {
  const flags = requestOf(context);
  const manifest = await readManifestOf(context);
  const basis = await readBase(context, manifest.gateway);
  const origin = { manifest: await manifestRef(context, manifest) };
  const request = { ...flags, ...origin, ...(basis === undefined ? {} : { basis }) };
  return await withManifest(context, { manifest, request }, work);
}

/** The reference of a manifest for a plan; with its commit only for a plan that is saved. */
async function manifestRef({ io, given, command }: Context, manifest: Manifest): Promise<ManifestRef> {
  const { manifestDigest } = await import('../../manifest/index.ts');
  const digest = manifestDigest(manifest);
  const isSaved = command.ownsOut === true && has(given, 'out');
  const commit = isSaved ? await tryCommitOf(manifest.files, io) : undefined;
  return { digest, ...(commit === undefined ? {} : { commit }) };
}

/** Runs work with the engine and a manifest that was not read from files. */
export async function withManifest<T>(
  context: Context,
  { manifest, request }: Pick<KeyplaneSession, 'manifest' | 'request'>,
  work: (session: KeyplaneSession) => Promise<T>,
): Promise<T> {
  const clock = watchGatewayClock(context.io.clock);
  const onGateway = async (gateway: Gateway, settings: GatewaySettings): Promise<T> => {
    const progress = showRun(context);
    const keyplane = createKeyplane({
      store: gateway.store,
      late: lateCreatesOf(context, gateway.store.account),
      ...locksOf(context, gateway),
      now: clock.now,
      concurrency: settings.concurrency,
      signal: context.interruption.signal,
      onEvent(event) {
        progress.onEvent(event);
        if (event.kind === 'read') warnOfClock(context, clock);
      },
      ...usageOptions(context, gateway),
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

import type { Diagnostic, ObservedState, Plan, UnixSeconds } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { guard, type Limits, narrow, observe, plan, planDestroy } from '../../reconcile/index.ts';
import type { Context } from '../program/command.ts';
import { count, has, text } from '../program/option.ts';
import { withGateway } from './connect.ts';
import { keyGlobs } from './key-filter.ts';
import { lockAccount } from './lock.ts';
import { readManifestOf } from './manifest-input.ts';
import { whileReading } from './progress.ts';
import type { Settings } from './settings.ts';
import { usageCacheAt } from './usage-cache.ts';

/** Both sides, looked at in this run. */
export interface Sight {
  readonly manifest: Manifest;
  readonly gateway: Gateway;
  readonly settings: Settings;
  readonly observed: ObservedState;
  readonly now: UnixSeconds;
}

/** The flags that say how far back the usage log may be read, and what is remembered of it. */
export function usageOptions(context: Context, gateway: Gateway) {
  const maxLogPages = count(context.given, 'max-log-pages', 1);
  const path = text(context.given, 'usage-cache');
  return {
    ...(maxLogPages === undefined ? {} : { maxLogPages }),
    ...(path === undefined
      ? {}
      : { usageCache: usageCacheAt(path, { cwd: context.io.cwd, account: gateway.store.account }) }),
  };
}

/** Reads the manifest, looks at the account, and does something with both. */
export async function withSight<T>(context: Context, work: (sight: Sight) => Promise<T>): Promise<T> {
  // A wrong flag is told before anything is asked of the gateway.
  limitsOf(context);
  const manifest = await readManifestOf(context);
  return await withGateway(context, manifest.gateway, async (gateway, settings) => {
    return await work(await look(context, { manifest, gateway, settings }));
  });
}

/** The same for writing: the account is locked before it is looked at, so what is planned on stays as it was seen. */
export async function withLockedSight<T>(context: Context, work: (sight: Sight) => Promise<T>): Promise<T> {
  limitsOf(context);
  const manifest = await readManifestOf(context);
  return await withGateway(context, manifest.gateway, async (gateway, settings) => {
    const release = await lockAccount(context.io, gateway.store.account);
    try {
      return await work(await look(context, { manifest, gateway, settings }));
    } finally {
      await release();
    }
  });
}

async function look(context: Context, sides: Pick<Sight, 'manifest' | 'gateway' | 'settings'>): Promise<Sight> {
  const { manifest, gateway } = sides;
  const now = context.now();
  const options = { now, ...usageOptions(context, gateway) };
  const observed = await whileReading(context, () => observe(gateway.store, manifest.desired, options));
  return { ...sides, observed, now };
}

/** The limits that the flags set for this one run. */
export function limitsOf({ given }: Context): Limits {
  const maxDeletes = count(given, 'max-deletes');
  return {
    ...(maxDeletes === undefined ? {} : { maxDeletes }),
    allowProtected: has(given, 'allow-protected'),
    allowUnknownGroups: has(given, 'allow-unknown-groups'),
    allowUnknownModels: has(given, 'allow-unknown-models'),
  };
}

/** The part that `--key` asks for, or all of it. */
export function selected(context: Context, whole: Plan): Plan {
  const names = whole.changes.flatMap((change) =>
    change.verb === 'rename' ? [change.name, change.from] : [change.name],
  );
  const globs = keyGlobs(context, names);
  return globs.length === 0 ? whole : narrow(whole, globs);
}

/** The plan that brings the account to what the manifest says, as far as it was asked for. */
export const planFor = (context: Context, { manifest, observed, now }: Sight): Plan =>
  selected(context, plan(manifest.desired, observed, now));

/** The plan that deletes all that the manifest owns, as far as it was asked for. */
export const destructionFor = (context: Context, { manifest, observed, now }: Sight): Plan =>
  selected(context, planDestroy(manifest.desired, observed, now));

export const judge = (context: Context, { manifest, observed }: Sight, made: Plan): readonly Diagnostic[] =>
  guard(made, { desired: manifest.desired, observed }, limitsOf(context));

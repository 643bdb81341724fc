import { Fault } from '../domain/index.ts';
import type { FrontEnd, Keyplane, KeyplaneOptions } from './options.ts';

/**
 * Opens Keyplane for one account. Does not connect yet; what it runs with is loaded at the first run.
 *
 * @throws Fault `usage.invalid` for options with neither a gateway nor a store, or with both
 */
export function createKeyplane(options: KeyplaneOptions, front: FrontEnd = {}): Keyplane {
  refuseUnopened(options);
  let opened: Promise<Keyplane> | undefined;
  const open = (): Promise<Keyplane> => {
    opened ??= import('./runs.ts').then(({ openRuns }) => openRuns(options, front));
    return opened;
  };
  return {
    plan: async (manifest, request) => (await open()).plan(subjectOf(manifest, 'desired'), request),
    apply: async (subject, request) => (await open()).apply(subjectOf(subject, 'desired', 'changes'), request),
    drift: async (manifest, request) => (await open()).drift(subjectOf(manifest, 'desired'), request),
    destroy: async (manifest, request) => (await open()).destroy(subjectOf(manifest, 'desired'), request),
    check: async (manifest, request) => (await open()).check(subjectOf(manifest, 'desired'), request),
    [Symbol.asyncDispose]: async () => (await opened)?.[Symbol.asyncDispose](),
  };
}

/** Programs without types pass what the types forbid. */
function refuseUnopened(options: Partial<KeyplaneOptions> | null | undefined): void {
  if (Boolean(options?.gateway) !== Boolean(options?.store)) return;
  throw new Fault('usage.invalid', 'The options need the client of a gateway or a store, and not both.', {
    hint: 'Open a client with `openGateway` and pass it as `gateway`.',
  });
}

/** @throws Fault `manifest.invalid` for anything that is neither a manifest nor a plan */
function subjectOf<T>(subject: T, ...members: readonly string[]): T {
  if (typeof subject === 'object' && subject !== null && members.some((member) => member in subject)) return subject;
  throw new Fault('manifest.invalid', 'This is not a manifest that Keyplane has read.', {
    hint: 'Use the object that reading a manifest returned.',
  });
}

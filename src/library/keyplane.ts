import type { FrontEnd, Keyplane, KeyplaneOptions } from './options.ts';

/** Opens Keyplane for one account. Does not connect yet; what it runs with is loaded at the first run. */
export function createKeyplane(options: KeyplaneOptions, front: FrontEnd = {}): Keyplane {
  let opened: Promise<Keyplane> | undefined;
  const open = (): Promise<Keyplane> => {
    opened ??= import('./runs.ts').then(({ openRuns }) => openRuns(options, front));
    return opened;
  };
  return {
    plan: async (manifest, request) => (await open()).plan(manifest, request),
    apply: async (subject, request) => (await open()).apply(subject, request),
    drift: async (manifest, request) => (await open()).drift(manifest, request),
    destroy: async (manifest, request) => (await open()).destroy(manifest, request),
    check: async (manifest, request) => (await open()).check(manifest, request),
    [Symbol.asyncDispose]: async () => (await opened)?.[Symbol.asyncDispose](),
  };
}

import { checkOptions, Fault, OPTION_RULES, type OptionRule, withMethods } from '../domain/index.ts';
import type { LockPlace } from './locks.ts';
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

const { text, callback, signal, patience, count } = OPTION_RULES;
const PLACES: readonly unknown[] = ['gateway', 'file', 'none'] satisfies readonly LockPlace[];
const ownLock = withMethods('a lock', 'acquire');

const RULES: Readonly<Record<string, OptionRule>> = {
  // A misspelt place would be a lock of this machine alone.
  lock: {
    accepts: (value) => PLACES.includes(value) || ownLock.accepts(value),
    expected: '`gateway`, `file`, `none` or a lock of your own',
  },
  lockTimeoutMs: patience,
  settleMs: patience,
  concurrency: count,
  maxLogPages: count,
  stateFolder: text,
  signal,
  onEvent: callback,
  clock: withMethods('an object with `now`', 'now'),
  sinks: withMethods('an object with `of`', 'of'),
};

/** Programs without types pass what the types forbid. */
function refuseUnopened(options: Partial<KeyplaneOptions> | null | undefined): void {
  if (Boolean(options?.gateway) === Boolean(options?.store)) {
    throw new Fault('usage.invalid', 'The options need the client of a gateway or a store, and not both.', {
      hint: 'Open a client with `openGateway` and pass it as `gateway`.',
    });
  }
  checkOptions(options, RULES);
}

/** @throws Fault `manifest.invalid` for anything that is neither a manifest nor a plan */
function subjectOf<T>(subject: T, ...members: readonly string[]): T {
  if (typeof subject === 'object' && subject !== null && members.some((member) => member in subject)) return subject;
  throw new Fault('manifest.invalid', 'This is not a manifest that Keyplane has read.', {
    hint: 'Use the object that reading a manifest returned.',
  });
}

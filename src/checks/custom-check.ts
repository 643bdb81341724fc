import {
  CHECK_CLASSES,
  CHECK_MODULES,
  type CheckClass,
  CUSTOM_MODULE,
  type CustomModule,
  Fault,
  isFault,
  LONGEST_TIMER_MS,
  type ObservedKey,
  type RunnableCheck,
} from '../domain/index.ts';
import type { Inference } from '../gateway/index.ts';
import { type CheckContext, type CheckModuleEntry, type CheckRecorder, NotProven } from './check-module.ts';
import { redact } from './run/redact.ts';

/** Everything that a check of one’s own gets, for one key. After the end of the check it has no effect. */
export interface CustomCheckContext {
  /** The key as the gateway lists it, without its secret. */
  readonly key: ObservedKey;
  /** The inference and media API with the credential of the key. */
  readonly inference: Inference;
  /** Aborts when the time of the check is over. Pass it on with every call. */
  readonly signal: AbortSignal;
  /** Records whether a claim holds: the check passes if all of them do, and there is one at least. */
  readonly claim: (claim: string, holds: boolean, found?: string) => void;
  /** Keeps request and answer for the report, shortened and redacted. The IDs of requests find their charges in the usage log. */
  readonly exchange: CheckRecorder['exchange'];
  /** Ends the check: it does not apply to this key. */
  readonly skip: (reason: string) => never;
  /** Ends the check: nothing can be proven from here. */
  readonly unprovable: (reason: string) => never;
}

/** A check of one’s own. It is sent once, and never retried. */
export interface CustomCheck {
  /** The name in selections and reports. A module, a kind and a class have theirs already. */
  readonly name: string;
  /**
   * `free` sends nothing that costs money. `costly` runs only when a run names it, or asks for costly checks. Nobody knows in advance
   * what a check of one’s own costs, so that a run with a cost limit skips those that are not free.
   */
  readonly schedule: CheckClass;
  /** The time that it may take, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Proves one key. What it throws fails the check; a KeyplaneError keeps its meaning for the key. */
  readonly run: (context: CustomCheckContext) => Promise<void> | void;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const NAME = /^[a-z0-9][a-z0-9-]{0,49}$/;

const RESERVED: ReadonlySet<string> = new Set([
  CUSTOM_MODULE,
  ...Object.keys(CHECK_MODULES),
  ...Object.values(CHECK_MODULES).flat(),
  ...CHECK_CLASSES,
]);

function invalid(problem: string, name: unknown): Fault {
  return new Fault('request.invalid', `The check ${JSON.stringify(name) ?? 'without a name'} is invalid: ${problem}.`, {
    detail: { check: String(name) },
  });
}

/** Returns what is wrong with a definition, which may come from a program without types. */
function problemOf({ name, schedule, timeoutMs = DEFAULT_TIMEOUT_MS, run }: CustomCheck): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return '`name` must be lower-case letters, digits and hyphens, 50 at most';
  }
  if (RESERVED.has(name)) return '`name` is the name of a module, a kind or a class';
  if (!CHECK_CLASSES.includes(schedule)) return `\`schedule\` must be one of ${CHECK_CLASSES.join(', ')}`;
  if (!Number.isInteger(timeoutMs) || timeoutMs <= 0 || timeoutMs > LONGEST_TIMER_MS) {
    return '`timeoutMs` must be a positive number of milliseconds';
  }
  return typeof run === 'function' ? undefined : '`run` must be a function';
}

/**
 * Defines a check of one’s own, for {@link checkKeys} and for the runs of a manifest.
 *
 * @example
 * const knowsUs = defineCheck({
 *   name: 'knows-us',
 *   schedule: 'cheap',
 *   async run({ inference, signal, claim }) {
 *     const messages = [{ role: 'user' as const, content: 'Who are you?' }];
 *     const { value } = await inference.chat({ model: 'alpha-chat-1', messages }, { signal });
 *     claim('the answer names us', value.choices[0]?.message.content?.includes('Example') === true);
 *   },
 * });
 *
 * @throws KeyplaneError `request.invalid`
 */
export function defineCheck(check: CustomCheck): CustomCheck {
  const problem = problemOf(check);
  if (problem !== undefined) throw invalid(problem, check.name);
  return Object.freeze({ ...check });
}

/** Validates checks that go into one run. @param taken names of its other checks. @throws Fault `request.invalid` */
export function validCustomChecks(checks: readonly CustomCheck[], taken: readonly string[]): readonly CustomCheck[] {
  const names = new Set(taken);
  return checks.map((check) => {
    const { name } = defineCheck(check);
    if (names.has(name)) throw invalid('another check of the run has this name', name);
    names.add(name);
    return check;
  });
}

/** The definition in the form of those of a manifest. */
export const specOfCustom = ({ name, schedule, timeoutMs = DEFAULT_TIMEOUT_MS }: CustomCheck): RunnableCheck => ({
  name,
  module: CUSTOM_MODULE,
  request: {},
  expect: {},
  retries: 0,
  schedule,
  timeoutMs,
  folder: '.',
});

/** Blanks whatever looks like key material: a program may claim or throw anything. */
const redacted = (text: unknown): string => String(redact(String(text), (same) => same));

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Rejects when the time is over: a check that ignores the signal must not hold up the run. */
async function withinTime(signal: AbortSignal, work: () => Promise<void> | void): Promise<void> {
  let stop = (): void => {};
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([(async () => work())(), over]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The context of one run, and the function that ends it. */
function openContext({ key, inference, signal, recorder }: CheckContext) {
  let isOpen = true;
  const context: CustomCheckContext = {
    key: key.observed,
    inference,
    signal,
    claim(claim, holds, found) {
      const shown = found === undefined ? [] : [redacted(found)];
      if (isOpen) recorder.claim(redacted(claim), holds === true, ...shown);
    },
    exchange(title, request, answered) {
      if (isOpen) recorder.exchange(redacted(title), request, answered);
    },
    skip: (reason) => recorder.skip(redacted(reason)),
    unprovable: (reason) => recorder.unprovable(redacted(reason)),
  };
  return { context, end: () => (isOpen = false) };
}

/** The check as a module of the catalog. */
export const entryOfCustom = (check: CustomCheck): CheckModuleEntry<CustomModule> => ({
  id: CUSTOM_MODULE,
  schedule: check.schedule,
  pays: check.schedule !== 'free',
  isAsynchronous: false,
  needsUsableKey: true,
  timeoutMs: check.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  assertions: [],
  proves: check.name,
  async run(given) {
    const { context, end } = openContext(given);
    try {
      await withinTime(given.signal, () => check.run(context));
    } catch (thrown) {
      if (given.signal.aborted || thrown instanceof NotProven || isFault(thrown)) throw thrown;
      throw new NotProven('failed', `the check threw an error: ${redacted(messageOf(thrown))}`);
    } finally {
      end();
    }
  },
});

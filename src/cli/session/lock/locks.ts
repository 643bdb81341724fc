import { jobAddress } from '../../../disk/index.ts';
import { asFault, Fault, tryParseDuration } from '../../../domain/index.ts';
import { type Locks, type RunLocks, withLocks } from '../../../engine/index.ts';
import type { Gateway } from '../../../gateway/index.ts';
import type { GatewaySection } from '../../../manifest/index.ts';
import {
  claimLock,
  type HeldLock,
  holderText,
  type Lock,
  type LockTime,
  type LockWait,
} from '../../../reconcile/index.ts';
import { outdent } from '../../output/layout/columns.ts';
import { renderSpan } from '../../output/layout/moment.ts';
import { printable } from '../../output/layout/printable.ts';
import type { Context } from '../../program/command.ts';
import { LOCK, LOCK_KINDS, LOCK_TIMEOUT } from '../../program/flags.ts';
import { text } from '../../program/option.ts';
import { withGateway } from '../connect.ts';
import type { Interruption } from '../interruption.ts';
import { type Io, nowOf } from '../io.ts';
import { settleSeconds } from '../late-creates.ts';
import { variable } from '../variables.ts';
import { fileLock } from './file-lock.ts';

type LockKind = (typeof LOCK_KINDS)[number];

const DEFAULT_TIMEOUT_SECONDS = 300;

/** The kind of lock, from the flag, else from the environment. @throws Fault `usage.invalid` */
function lockKind({ given, io }: Context): LockKind {
  const named = text(given, LOCK.flag) ?? variable(io.env, 'KEYPLANE_LOCK') ?? 'gateway';
  const kind = LOCK_KINDS.find((each) => each === named);
  if (kind) return kind;
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(named)} for KEYPLANE_LOCK.`, {
    hint: `Use one of ${LOCK_KINDS.join(', ')}.`,
  });
}

function timeoutSeconds({ given }: Context): number {
  const value = text(given, LOCK_TIMEOUT.flag);
  if (value === undefined) return DEFAULT_TIMEOUT_SECONDS;
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : tryParseDuration(value);
  if (seconds !== undefined) return seconds;
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(value)} for --${LOCK_TIMEOUT.flag}.`, {
    hint: 'Expected a duration, such as 30s or 10m, or 0.',
  });
}

const lockTime = (io: Io): LockTime => ({
  steady: io.steady,
  wall: () => io.clock() * 1000,
  sleep: (ms, signal) => io.pause(ms / 1000, signal ?? new AbortController().signal),
  every: io.every,
  random: io.random,
});

/** The lock that all machines share. Where the gateway cannot hold it, the run continues with a warning. */
function gatewayLock(context: Context, { claims }: Gateway): Lock {
  const { io } = context;
  const run = jobAddress(io.env);
  const holder = {
    process: io.pid,
    host: io.host,
    since: nowOf(io),
    ...(run === undefined ? {} : { run }),
  };
  const lock = releasedAtEnd(context.interruption, claimLock(claims, holder, lockTime(io), settleSeconds(context)));
  return {
    acquire: (account, request) =>
      lock.acquire(account, request).catch((thrown: unknown) => {
        const fault = asFault(thrown);
        if (fault.code !== 'apply.lock-unavailable') throw fault;
        warnOfFileAlone(context, fault.message);
        return NO_LOCK;
      }),
  };
}

const NO_LOCK: HeldLock = { waitedSeconds: 0, ensureHeld: async () => {}, release: async () => {} };

function warnOfFileAlone({ print, paint, width }: Context, why: string): void {
  const text = `${why} So the lock keeps out only runs on this machine.`;
  const warning = `${paint.err.change(paint.err.strong('warning'))}: ${printable(text)}`;
  print(outdent(warning, width.err).join('\n'));
}

/** Gives a lock back when an interruption ends the run before anything is written. */
const releasedAtEnd = ({ beforeEnd }: Interruption, lock: Lock): Lock => ({
  async acquire(account, request) {
    const acquiring = lock.acquire(account, request);
    const forget = beforeEnd(() =>
      acquiring.then(
        (held) => held.release(),
        () => undefined,
      ),
    );
    try {
      const held = await acquiring;
      return {
        ...held,
        release() {
          forget();
          return held.release();
        },
        ...(held.leave && {
          leave() {
            forget();
            held.leave?.();
          },
        }),
      };
    } catch (thrown) {
      forget();
      throw thrown;
    }
  },
});

const NO_ROOM =
  'The claim of the lock is a key, and the account needs its last places for the keys that this run creates.';

function renderWait({ holder, seconds }: LockWait): string {
  const who = holder === undefined ? 'another run' : `another run (${printable(holderText(holder))})`;
  return `Waiting up to ${renderSpan(Math.ceil(seconds))} for ${who} to finish. --${LOCK_TIMEOUT.flag} sets this time.`;
}

/** The locks that the command line chooses. @throws Fault `usage.invalid` */
export function locksOf(context: Context, gateway: Gateway): Locks {
  const kind = lockKind(context);
  return {
    ...(kind === 'none' ? {} : { lock: fileLock(context.io) }),
    ...(kind === 'gateway' ? { claim: gatewayLock(context, gateway) } : {}),
    lockRequest: {
      timeoutSeconds: timeoutSeconds(context),
      signal: context.interruption.signal,
      onWait: (wait) => context.print(renderWait(wait)),
    },
    onNoRoom: () => warnOfFileAlone(context, NO_ROOM),
  };
}

/**
 * Does work with the gateway while no other run writes to its account. The work takes the claim before it writes.
 *
 * @throws Fault `apply.locked`, `file.unwritable`
 */
export const withLockedAccount = <T>(
  context: Context,
  section: GatewaySection | undefined,
  work: (gateway: Gateway, locks: RunLocks) => Promise<T>,
): Promise<T> =>
  withGateway(context, section, async (gateway) => {
    const options = { store: gateway.store, ...locksOf(context, gateway) };
    return await withLocks(options, (locks) => work(gateway, locks));
  });

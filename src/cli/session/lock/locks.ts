import { Fault, tryParseDuration } from '../../../domain/index.ts';
import { type RunLocks, withLocks } from '../../../engine/index.ts';
import type { Gateway } from '../../../gateway/index.ts';
import { type LockPlace, locksOf, type Notice } from '../../../library/index.ts';
import type { GatewaySection } from '../../../manifest/index.ts';
import { defaultLockTimeout, holderText, type LockWait } from '../../../reconcile/index.ts';
import { outdent } from '../../output/layout/columns.ts';
import { renderLongSpan, renderSpan } from '../../output/layout/moment.ts';
import { printable } from '../../output/layout/printable.ts';
import type { Context } from '../../program/command.ts';
import { LOCK, LOCK_KINDS, LOCK_TIMEOUT } from '../../program/flags.ts';
import { text } from '../../program/option.ts';
import { withGateway } from '../connect.ts';
import { machineOf } from '../io.ts';
import { settleSeconds } from '../late-creates.ts';
import { variable } from '../variables.ts';

/** The kind of lock, from the flag, else from the environment. @throws Fault `usage.invalid` */
function lockKind({ given, io }: Context): LockPlace {
  const named = text(given, LOCK.flag) ?? variable(io.env, 'KEYPLANE_LOCK') ?? 'gateway';
  const kind = LOCK_KINDS.find((each) => each === named);
  if (kind) return kind;
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(named)} for KEYPLANE_LOCK.`, {
    hint: `Use one of ${LOCK_KINDS.join(', ')}.`,
  });
}

function timeoutSeconds({ given }: Context): number {
  const value = text(given, LOCK_TIMEOUT.flag);
  if (value === undefined) return defaultLockTimeout(settleSeconds({ given }));
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : tryParseDuration(value);
  if (seconds !== undefined) return seconds;
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(value)} for --${LOCK_TIMEOUT.flag}.`, {
    hint: 'Expected a duration, such as 30s or 10m, or 0.',
  });
}

function renderWait({ holder, seconds, abandonedAfter }: LockWait): string {
  const who = holder === undefined ? 'another run' : `another run (${printable(holderText(holder))})`;
  const wait = `Waiting up to ${renderSpan(Math.ceil(seconds))} for ${who} to finish.`;
  const end =
    abandonedAfter === undefined
      ? ''
      : ` If it was killed, its lock ends in ${renderLongSpan(Math.ceil(abandonedAfter))}.`;
  return `${wait}${end} --${LOCK_TIMEOUT.flag} sets the longest wait.`;
}

/** Shows a notice about a lock. */
export function showLock(context: Context, notice: Notice): void {
  if (notice.kind === 'lock-wait') context.print(renderWait(notice.wait));
  if (notice.kind !== 'lock-limited') return;
  const { print, paint, width } = context;
  const text = `${notice.reason} So the lock keeps out only runs on this machine.`;
  const warning = `${paint.err.change(paint.err.strong('warning'))}: ${printable(text)}`;
  print(outdent(warning, width.err).join('\n'));
}

/** The locks that the command line chooses. @throws Fault `usage.invalid` */
export const lockOptions = (context: Context) => ({
  lock: lockKind(context),
  lockTimeoutMs: timeoutSeconds(context) * 1000,
});

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
    const { store, claims } = gateway;
    const locks = locksOf({
      place: lockKind(context),
      claims,
      machine: machineOf(context.io),
      settleSeconds: settleSeconds(context),
      timeoutSeconds: timeoutSeconds(context),
      signal: context.interruption.signal,
      notify: (notice) => showLock(context, notice),
      releaseAtEnd: context.interruption.beforeEnd,
    });
    return await withLocks({ store, ...locks }, (held) => work(gateway, held));
  });

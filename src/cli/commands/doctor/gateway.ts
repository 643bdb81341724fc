import { asFault, type Decimal, Fault, type Group, renderDecimal } from '../../../domain/index.ts';
import type { Gateway, SystemApi } from '../../../gateway/index.ts';
import type { Manifest } from '../../../manifest/index.ts';
import { counted, renderMoney } from '../../output/layout/amount.ts';
import { renderLongSpan } from '../../output/layout/moment.ts';
import { printable, quoted } from '../../output/layout/printable.ts';
import { type DoctorResult, failed, ok, skipped, warning } from './result.ts';

const RANGES = 'which ignores address ranges: a key that is restricted to ranges alone is open to everybody.';
const SINGLE = 'Restrict keys to single addresses';

/** Tests name, network, TLS and answer with the one endpoint that needs no credentials. */
export async function examineConnection(system: SystemApi): Promise<{ result: DoctorResult; quotaPerUnit?: Decimal }> {
  try {
    const { quotaPerUnit, kind } = await system.status();
    const message = `the gateway answers; 1 USD is ${renderDecimal(quotaPerUnit)} quota units`;
    const title = kind === undefined ? '' : `; it is ${printable(kind.title)}`;
    if (!kind?.ignoresRanges) return { result: ok('connection', `${message}${title}`), quotaPerUnit };
    const { until } = kind.ignoresRanges;
    const advice =
      until === undefined ? `${SINGLE}.` : `${SINGLE}, or update the gateway to version ${until} or later.`;
    return { result: warning('connection', `${message}${title}, ${RANGES}`, advice), quotaPerUnit };
  } catch (thrown) {
    return { result: failed('connection', asFault(thrown)) };
  }
}

const TOLERATED_SECONDS = 60;

/** Budget windows and expiry are computed with our clock and enforced with the gateway's. */
export function examineClock(date: string | undefined, now: number): DoctorResult {
  const theirs = date === undefined ? Number.NaN : Date.parse(date) / 1000;
  if (Number.isNaN(theirs)) return skipped('clock', 'the gateway does not report its time');
  const apart = now - theirs;
  if (Math.abs(apart) <= TOLERATED_SECONDS) return ok('clock', 'agrees with the gateway');
  const direction = apart > 0 ? 'ahead of' : 'behind';
  return warning(
    'clock',
    `this machine is ${renderLongSpan(apart)} ${direction} the gateway.`,
    'Set the clock (NTP). Until then, expiry times and budget windows are off by that much.',
  );
}

/** Tests that token and user id belong together, and that the wallet is not empty. */
export async function examineAccount(
  system: SystemApi,
  { userId, quotaPerUnit }: { userId: number; quotaPerUnit: Decimal },
): Promise<readonly DoctorResult[]> {
  try {
    const self = await system.self();
    const who = self.username ? `${self.id} (${printable(self.username)})` : String(self.id);
    if (self.id !== userId) {
      const fault = new Fault('credentials.other-account', `The token belongs to user ${who}, not to user ${userId}.`, {
        hint: `Set the user ID to ${self.id}, or use the other user’s token.`,
      });
      return [failed('credentials', fault)];
    }
    const money = renderMoney(self.wallet, quotaPerUnit);
    const empty =
      'Top it up. Until then, the gateway rejects every request with any key of the account, whatever its budget.';
    return [
      ok('credentials', `accepted as user ${who}`),
      self.wallet > 0 ? ok('wallet', money) : warning('wallet', `The wallet is empty: ${money}.`, empty),
    ];
  } catch (thrown) {
    return [failed('credentials', asFault(thrown))];
  }
}

/** Tests that the keys can be listed: every plan begins with that. */
export async function examineKeys({ store }: Gateway): Promise<DoctorResult> {
  try {
    await store.newest();
    return ok('keys', 'can be listed');
  } catch (thrown) {
    return failed('keys', asFault(thrown));
  }
}

function undeclared(groups: readonly Group[], manifest: Manifest | undefined): readonly string[] {
  const known = new Set(['', ...groups.map((group) => group.name)]);
  const used = manifest?.desired.keys.flatMap((key) => (key.group === undefined ? [] : [key.group])) ?? [];
  return [...new Set(used)].filter((name) => !known.has(name));
}

/** Tests that the manifest uses only groups of the account. */
export async function examineGroups(system: SystemApi, manifest: Manifest | undefined): Promise<DoctorResult> {
  try {
    const groups = await system.groups();
    const wrong = undeclared(groups, manifest);
    const named = groups.map((group) => quoted(group.name)).join(', ') || 'none';
    if (wrong.length === 0) {
      return ok('groups', groups.length === 0 ? named : `${counted(groups.length, 'group')}: ${named}`);
    }
    const fault = new Fault(
      'guard.unknown-group',
      `The account does not have these groups: ${wrong.map(quoted).join(', ')}.`,
      {
        hint: `The account has ${named}. Correct the manifest, or have the group enabled for the account.`,
      },
    );
    return failed('groups', fault);
  } catch (thrown) {
    return failed('groups', asFault(thrown));
  }
}

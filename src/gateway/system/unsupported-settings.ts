import {
  Fault,
  isIpRange,
  type KeySettings,
  type ObservedKey,
  parseIpRule,
  refusalsOf,
  type SettingLimits,
} from '../../domain/index.ts';
import { dialectOf } from '../../wire/index.ts';
import { type Session, spokenIn } from './session.ts';
import type { SystemApi } from './system-api.ts';

/** A key as a gateway that ignores ranges treats it: it skips all but single addresses, and a range of one address too. */
function enforced(key: ObservedKey): ObservedKey {
  const addresses = key.allowIps?.filter((rule) => !rule.includes('/') && parseIpRule(rule).ok) ?? [];
  return { ...key, allowIps: addresses.length > 0 ? addresses : null };
}

type KnownKind = Pick<Session, 'kind' | 'dialect'>;

/** The limits of a gateway, as far as its answers have shown its kind; undefined: those of the contract. */
export function limitsOf(known: KnownKind): SettingLimits | undefined {
  if (known.kind === undefined) return undefined;
  const { ignoresRanges, title } = known.kind;
  const spoken = spokenIn(known);
  if (spoken === undefined && ignoresRanges === undefined) return undefined;
  const common = { title, ...(ignoresRanges === undefined ? {} : { ignoresRanges }) };
  if (spoken === undefined) return common;
  const { nameBytes, groups, models } = dialectOf(spoken);
  return {
    ...common,
    nameBytes,
    ...(groups === null ? { lacksGroups: true } : {}),
    ...(models && models.switch === undefined ? { lacksEmptyAllowlists: true } : {}),
  };
}

/**
 * Reads keys as a gateway that ignores address ranges treats them, so that one with ranges alone is seen to be open to
 * everybody, and writes nothing that the gateway cannot hold. The kind of the gateway is known from its answers; its status is
 * asked for at most once more, before the first write of a range.
 */
export function refusingUnsupported(api: SystemApi, session: KnownKind): SystemApi {
  let asked: Promise<unknown> | undefined;
  const status: SystemApi['status'] = () => {
    const answer = api.status();
    asked = answer.catch(() => {});
    return answer;
  };
  const seen = async (keys: readonly ObservedKey[]): Promise<readonly ObservedKey[]> => {
    await asked;
    return session.kind?.ignoresRanges ? keys.map(enforced) : keys;
  };
  const ensure = async (settings: Partial<KeySettings>): Promise<void> => {
    if (settings.allowIps?.some(isIpRange)) {
      if (asked === undefined && session.kind === undefined) await status();
      await asked;
    }
    const [refusal] = refusalsOf(limitsOf(session), settings);
    if (refusal === undefined) return;
    const { setting: field, problem, advice } = refusal;
    throw new Fault('gateway.unsupported', problem, { hint: `Nothing was written. ${advice}`, detail: { field } });
  };
  return {
    ...api,
    status,
    async listKeys(...query) {
      const page = await api.listKeys(...query);
      return { ...page, keys: await seen(page.keys) };
    },
    async readKey(id) {
      const key = await api.readKey(id);
      const [now = key] = await seen([key]);
      return now;
    },
    createKey: (settings, sending) => ensure(settings).then(() => api.createKey(settings, sending)),
    updateKey: (base, patch) => ensure(patch).then(() => api.updateKey(base, patch)),
  };
}

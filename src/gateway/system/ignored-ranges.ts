import { Fault, type KeySettings, type ObservedKey, parseIpRule, shortestIpRule } from '../../domain/index.ts';
import type { GatewayKind } from '../../wire/index.ts';
import type { Session } from './session.ts';
import type { SystemApi } from './system-api.ts';

const isRange = (rule: string): boolean => shortestIpRule(rule).includes('/');

/** A key as a gateway that ignores ranges treats it: it skips all but single addresses, and a range of one address too. */
function enforced(key: ObservedKey): ObservedKey {
  const addresses = key.allowIps?.filter((rule) => !rule.includes('/') && parseIpRule(rule).ok) ?? [];
  return { ...key, allowIps: addresses.length > 0 ? addresses : null };
}

function rangesFault({ title, ignoresRanges }: GatewayKind): Fault {
  const until = ignoresRanges?.until;
  const update = until === undefined ? '' : `, or update the gateway: new-api respects ranges since version ${until}`;
  return new Fault(
    'gateway.unsupported',
    `${title} ignores address ranges: this key would not be restricted to them.`,
    {
      hint: `Nothing was written. List single addresses${update}.`,
    },
  );
}

/**
 * Reads keys as a gateway that ignores address ranges treats them, so that one with ranges alone is seen to be open to
 * everybody, and writes no ranges there. The kind of the gateway is known from its status, which is asked for at most once
 * more, before the first write of a range.
 */
export function respectingRanges(api: SystemApi, session: Pick<Session, 'kind'>): SystemApi {
  let asked: Promise<void> | undefined;
  const status: SystemApi['status'] = () => {
    const answer = api.status();
    asked = answer.then(
      ({ kind }) => {
        session.kind = kind;
      },
      () => {},
    );
    return answer;
  };
  const seen = async (keys: readonly ObservedKey[]): Promise<readonly ObservedKey[]> => {
    await asked;
    return session.kind?.ignoresRanges ? keys.map(enforced) : keys;
  };
  const ensure = async ({ allowIps }: Pick<Partial<KeySettings>, 'allowIps'>): Promise<void> => {
    if (!allowIps?.some(isRange)) return;
    if (asked === undefined && session.kind === undefined) await status();
    await asked;
    if (session.kind?.ignoresRanges) throw rangesFault(session.kind);
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

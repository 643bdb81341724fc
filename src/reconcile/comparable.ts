import { canonicalJsonText, type KeySettings, type ObservedKey, parseIpRule, type Snapshot } from '../domain/index.ts';

const asSet = (items: readonly string[]): readonly string[] => [...new Set(items)].sort();

/** A stored rule as the gateway understands it: `10.1.2.3/8` allows what `10.0.0.0/8` does. Other text stays as it is. */
function canonicalRule(text: string): string {
  const parsed = parseIpRule(text);
  if (parsed.ok) return parsed.rule;
  return parsed.corrected ?? text;
}

/** The settings of a live key in the form in which both sides are compared: lists are sorted sets, JSON is canonical. */
export function comparable(key: KeySettings): KeySettings {
  return {
    name: key.name,
    group: key.group,
    crossGroupRetry: key.crossGroupRetry,
    models: key.models && asSet(key.models),
    allowIps: key.allowIps && asSet(key.allowIps.map(canonicalRule)),
    expires: key.expires,
    unlimited: key.unlimited,
    remain: key.remain,
    smartRouting: key.smartRouting,
    smartRouteTiers: key.smartRouteTiers && canonicalJsonText(key.smartRouteTiers),
  };
}

/** What a plan remembers of a live key: its comparable settings, id and status, and nothing that is secret. */
export function snapshotOf(key: ObservedKey): Snapshot {
  return {
    ...comparable(key),
    id: key.id,
    status: key.status,
    ...(key.used === undefined ? {} : { used: key.used }),
  };
}

/** Are two values of one setting the same? Lists are compared item by item, in order. */
export function sameSetting(a: KeySettings[keyof KeySettings], b: KeySettings[keyof KeySettings]): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => item === b[i]);
  return a === b;
}

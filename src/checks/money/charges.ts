import { type KeyId, type Quota, quota, type UsageEntry } from '../../domain/index.ts';

/** What was sent for one check, as far as the usage log can know it again. */
export interface Sent {
  readonly keyId: KeyId;
  readonly model: string;
  /** The paths of its requests, and whether their answers come as streams. */
  readonly paths: readonly string[];
  readonly streamed: boolean;
  /** Of its requests, as the gateway named them. */
  readonly requestIds: readonly string[];
  /** Requests that cost money, also those without an id. */
  readonly requests: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface Charge {
  readonly units: Quota;
  /** By which model names the log calls what was charged. */
  readonly models: readonly string[];
}

/** Whole seconds on the gateway’s side, and clocks that differ a little. */
const SLACK_SECONDS = 2;

/** Gateways that do not tell a path or a stream are taken by what they do tell. */
const isOfKind = ({ paths, streamed }: Sent, entry: UsageEntry): boolean =>
  (entry.path === undefined || paths.includes(entry.path.replace(/\?.*$/, ''))) &&
  (entry.streamed === undefined || entry.streamed === streamed);

function matchesByTime(sent: Sent, entry: UsageEntry): boolean {
  const { keyId, model, startedAt, endedAt } = sent;
  if (!isOfKind(sent, entry)) return false;
  const from = Math.floor(startedAt / 1000) - SLACK_SECONDS;
  const to = Math.ceil(endedAt / 1000) + SLACK_SECONDS;
  return entry.keyId === keyId && entry.model === model && entry.at >= from && entry.at <= to;
}

function chargeOf(entries: readonly UsageEntry[]): Charge {
  const units = quota(entries.reduce((sum, { spent }) => sum + spent, 0));
  return { units, models: [...new Set(entries.flatMap(({ model }) => (model === undefined ? [] : [model])))] };
}

/**
 * What each check was charged, from the usage log: by the ids of its requests; where the gateway names none, by key, model
 * and time, if only one check can be meant. Undefined: it can not be told, or is not in the log yet.
 */
export function chargesFor(sent: readonly Sent[], entries: readonly UsageEntry[]): readonly (Charge | undefined)[] {
  const named = new Map<string, UsageEntry[]>();
  for (const entry of entries) {
    if (entry.requestId !== undefined) named.set(entry.requestId, [...(named.get(entry.requestId) ?? []), entry]);
  }
  const claimed = new Set(sent.flatMap(({ requestIds }) => requestIds.flatMap((id) => named.get(id) ?? [])));
  const free = entries.filter((entry) => !claimed.has(entry));
  return sent.map((check) => {
    const byId = check.requestIds.flatMap((id) => named.get(id) ?? []);
    if (byId.length > 0) return chargeOf(byId);
    if (check.requestIds.length >= check.requests && check.requests > 0) return undefined;
    const near = free.filter((entry) => matchesByTime(check, entry));
    const rivals = sent.filter((other) => other !== check && near.some((entry) => matchesByTime(other, entry)));
    return near.length > 0 && rivals.length === 0 ? chargeOf(near) : undefined;
  });
}

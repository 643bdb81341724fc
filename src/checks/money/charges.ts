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
  /** What answers said that they used, where they said it. */
  readonly usages: readonly { readonly input: number; readonly output: number }[];
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

/** Only a check that knows what all of its requests used can be told by that. */
const isOfSize = ({ usages, requests }: Sent, { promptTokens, completionTokens = 0 }: UsageEntry): boolean =>
  promptTokens === undefined ||
  usages.length < requests ||
  usages.some(({ input, output }) => input === promptTokens && output === completionTokens);

function matchesByTime(sent: Sent, entry: UsageEntry): boolean {
  const { keyId, model, startedAt, endedAt } = sent;
  if (!isOfKind(sent, entry) || !isOfSize(sent, entry)) return false;
  const from = Math.floor(startedAt / 1000) - SLACK_SECONDS;
  const to = Math.ceil(endedAt / 1000) + SLACK_SECONDS;
  return entry.keyId === keyId && entry.model === model && entry.at >= from && entry.at <= to;
}

function chargeOf(entries: readonly UsageEntry[]): Charge {
  const units = quota(entries.reduce((sum, { spent }) => sum + spent, 0));
  return { units, models: [...new Set(entries.flatMap(({ model }) => (model === undefined ? [] : [model])))] };
}

/** Of several checks that can not be told apart: its part, where every request cost the same and all are there. */
function shareOf(
  check: Sent,
  { near, rivals }: { near: readonly UsageEntry[]; rivals: readonly Sent[] },
): Charge | undefined {
  const all = [check, ...rivals].reduce((sum, { requests }) => sum + requests, 0);
  const alike = new Set(near.map(({ spent, model }) => JSON.stringify([spent, model]))).size === 1;
  return alike && near.length === all ? chargeOf(near.slice(0, check.requests)) : undefined;
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
    return rivals.length === 0 ? (near.length > 0 ? chargeOf(near) : undefined) : shareOf(check, { near, rivals });
  });
}

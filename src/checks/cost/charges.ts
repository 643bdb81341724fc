import { type KeyId, type Quota, quota, type UsageEntry } from '../../domain/index.ts';

/** What was sent for one check, as far as the usage log can know it again. */
export interface SentCheck {
  readonly keyId: KeyId;
  /** Empty: whichever. */
  readonly model: string;
  /** The paths of its requests (none: whichever), and whether their answers come as streams. */
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
  /** Every request that costs is in it. */
  readonly isWhole: boolean;
}

/** Whole seconds on the gateway’s side, and clocks that differ a little. */
const SLACK_SECONDS = 2;

/** Gateways that do not tell a path or a stream are taken by what they do tell. */
const isOfKind = ({ paths, streamed }: SentCheck, entry: UsageEntry): boolean =>
  (entry.path === undefined || paths.length === 0 || paths.includes(entry.path.replace(/\?.*$/, ''))) &&
  (entry.streamed === undefined || entry.streamed === streamed);

/** Only a check that knows what all of its requests used can be reported by that. */
const isOfSize = ({ usages, requests }: SentCheck, { promptTokens, completionTokens = 0 }: UsageEntry): boolean =>
  promptTokens === undefined ||
  usages.length < requests ||
  usages.some(({ input, output }) => input === promptTokens && output === completionTokens);

function matchesByTime(sent: SentCheck, entry: UsageEntry): boolean {
  const { keyId, model, startedAt, endedAt } = sent;
  if (!isOfKind(sent, entry) || !isOfSize(sent, entry)) return false;
  const from = Math.floor(startedAt / 1000) - SLACK_SECONDS;
  const to = Math.ceil(endedAt / 1000) + SLACK_SECONDS;
  const isOfModel = model === '' || entry.model === model;
  return entry.keyId === keyId && isOfModel && entry.at >= from && entry.at <= to;
}

/** @param reported of how many requests the log tells */
function chargeOf(entries: readonly UsageEntry[], { requests }: SentCheck, reported: number): Charge {
  const units = quota(entries.reduce((sum, { spent }) => sum + spent, 0));
  const models = [...new Set(entries.flatMap(({ model }) => (model === undefined ? [] : [model])))];
  return { units, models, isWhole: reported >= requests };
}

/** What was paid; a refund belongs to one of these. */
const paymentsIn = (entries: readonly UsageEntry[]): number => entries.filter(({ spent }) => spent > 0).length;

/** Of several checks that can not be reported apart: its part, where every request cost the same and all are there. */
function shareOf(
  check: SentCheck,
  { near, rivals }: { near: readonly UsageEntry[]; rivals: readonly SentCheck[] },
): Charge | undefined {
  const all = [check, ...rivals].reduce((sum, { requests }) => sum + requests, 0);
  const alike = new Set(near.map(({ spent, model }) => JSON.stringify([spent, model]))).size === 1;
  const part = near.slice(0, check.requests);
  return alike && near.length === all ? chargeOf(part, check, part.length) : undefined;
}

/** By key, model and time, unless more was paid than the check sent: then somebody else uses the key, too. */
function chargeByTime(check: SentCheck, free: readonly UsageEntry[], sent: readonly SentCheck[]): Charge | undefined {
  const near = free.filter((entry) => matchesByTime(check, entry));
  const rivals = sent.filter((other) => other !== check && near.some((entry) => matchesByTime(other, entry)));
  if (rivals.length > 0) return shareOf(check, { near, rivals });
  if (near.length === 0 || paymentsIn(near) > check.requests) return undefined;
  return chargeOf(near, check, near.length);
}

/**
 * What each check was charged, from the usage log: by the ids of its requests; where the gateway names none, by key, model
 * and time, if only one check can be meant. Undefined: it can not be reported, or is not in the log yet.
 */
export function chargesFor(
  sent: readonly SentCheck[],
  entries: readonly UsageEntry[],
): readonly (Charge | undefined)[] {
  const named = new Map<string, UsageEntry[]>();
  for (const entry of entries) {
    if (entry.requestId !== undefined) named.set(entry.requestId, [...(named.get(entry.requestId) ?? []), entry]);
  }
  const claimed = new Set(sent.flatMap(({ requestIds }) => requestIds.flatMap((id) => named.get(id) ?? [])));
  const free = entries.filter((entry) => !claimed.has(entry));
  return sent.map((check) => {
    const reported = check.requestIds.filter((id) => named.has(id));
    const byId = reported.flatMap((id) => named.get(id) ?? []);
    if (byId.length > 0) return chargeOf(byId, check, reported.length);
    const isNamed = check.requestIds.length >= check.requests && check.requests > 0;
    return isNamed ? undefined : chargeByTime(check, free, sent);
  });
}

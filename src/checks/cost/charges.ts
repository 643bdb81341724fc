import type { CheckResult, KeyId, Quota, UsageEntry } from '../../domain/index.ts';
import { findFamily, INFERENCE_API } from '../../wire/index.ts';
import type { TokenUsage } from '../check-module.ts';
import { groupedBy } from '../grouped-by.ts';
import type { Job } from '../run/job.ts';
import { saturated } from './upper-price.ts';

/** The properties of a check by which the usage log identifies its requests. */
export interface SentCheck {
  readonly keyId: KeyId | undefined;
  /** Empty: any model. */
  readonly model: string;
  /** The paths of its requests (empty: any), and whether the answers are streams. */
  readonly paths: readonly string[];
  readonly streamed: boolean;
  /** The ids that the gateway gave its requests. */
  readonly requestIds: readonly string[];
  /** The video task, where there is one: its refund has another request id, or none. */
  readonly taskId?: string | undefined;
  /** Number of requests that cost money, with or without an id. */
  readonly requests: number;
  /** The usage that answers reported. */
  readonly usages: readonly TokenUsage[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The paths and the streaming flag, by which the log distinguishes kinds of requests. */
function kindOf({ selected, model = '' }: Job): Pick<SentCheck, 'paths' | 'streamed'> {
  const { entry, spec } = selected;
  const draft = entry.buildRequest?.(model, spec);
  const family = draft && findFamily(draft.family);
  const endpoints = [...(family ? [family.endpoint] : []), ...(entry.alsoCalls ?? [])];
  const paths = endpoints.map((endpoint) => INFERENCE_API[endpoint].path.replace('{model}', model));
  return { paths, streamed: draft?.body.stream === true || family?.id === 'native-image' };
}

export const sentCheckOf = (job: Job & { result: CheckResult }): SentCheck => ({
  keyId: job.result.keyId,
  model: job.model ?? '',
  ...kindOf(job),
  requestIds: job.requestIds,
  taskId: job.result.taskId,
  // Polling a task is free: only its submission costs money.
  requests: job.selected.entry.isAsynchronous ? 1 : job.requests,
  usages: job.usages,
  startedAt: job.result.startedAt ?? 0,
  endedAt: (job.result.startedAt ?? 0) + (job.endedAfterMs ?? 0),
});

export interface Charge {
  readonly units: Quota;
  /** The model names of the charged entries. */
  readonly models: readonly string[];
  /** True if it covers every request that costs money. */
  readonly isWhole: boolean;
}

/** The log has whole seconds, and clocks differ a little. */
const SLACK_SECONDS = 2;

/** Gateways may omit the path or the streaming flag from their log. */
const isOfKind = ({ paths, streamed }: SentCheck, entry: UsageEntry): boolean =>
  (entry.path === undefined || paths.length === 0 || paths.includes(entry.path.replace(/\?.*$/, ''))) &&
  (entry.streamed === undefined || entry.streamed === streamed);

/** Usage identifies a check only when all of its answers reported it. */
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

/** @param logged number of requests that have entries */
function chargeOf(entries: readonly UsageEntry[], { requests }: SentCheck, logged: number): Charge {
  const units = saturated(entries.reduce((sum, { spent }) => sum + spent, 0));
  const models = [...new Set(entries.flatMap(({ model }) => (model === undefined ? [] : [model])))];
  return { units, models, isWhole: logged >= requests };
}

/** The number of payments; a refund belongs to one of them. */
const paymentsIn = (entries: readonly UsageEntry[]): number => entries.filter(({ spent }) => spent > 0).length;

/** The share of one of several indistinguishable checks, if all requests are in the log and cost the same. */
function shareOf(
  check: SentCheck,
  { near, rivals }: { near: readonly UsageEntry[]; rivals: readonly SentCheck[] },
): Charge | undefined {
  const all = [check, ...rivals].reduce((sum, { requests }) => sum + requests, 0);
  const alike = new Set(near.map(({ spent, model }) => JSON.stringify([spent, model]))).size === 1;
  const part = near.slice(0, check.requests);
  return alike && near.length === all ? chargeOf(part, check, part.length) : undefined;
}

/**
 * Matches by key, model and time. More payments than requests mean that somebody else uses the key.
 *
 * @param free entries with the key of the check
 * @param sent checks with that key
 */
function chargeByTime(check: SentCheck, free: readonly UsageEntry[], sent: readonly SentCheck[]): Charge | undefined {
  const near = free.filter((entry) => matchesByTime(check, entry));
  const rivals = sent.filter((other) => other !== check && near.some((entry) => matchesByTime(other, entry)));
  if (rivals.length > 0) return shareOf(check, { near, rivals });
  if (near.length === 0 || paymentsIn(near) > check.requests) return undefined;
  return chargeOf(near, check, near.length);
}

/** Stands for the key of an entry or a check that has none. */
const NO_KEY = Symbol('no key');

/** The number of requests that have entries. A payment that only the task identifies is one more. */
const loggedIn = (own: readonly UsageEntry[], { requestIds }: SentCheck): number =>
  requestIds.filter((id) => own.some(({ requestId }) => requestId === id)).length +
  paymentsIn(own.filter(({ requestId }) => requestId === undefined || !requestIds.includes(requestId)));

/**
 * Finds the charge of each check in the usage log: by the ids of its requests and of its task, or, where the gateway gives none, by key,
 * model and time if that identifies one check. Undefined when the log does not identify it, or does not have it yet.
 */
export function chargesFor(
  sent: readonly SentCheck[],
  entries: readonly UsageEntry[],
): readonly (Charge | undefined)[] {
  const byRequest = groupedBy(entries, ({ requestId }) => requestId);
  const byTask = groupedBy(entries, ({ taskId }) => taskId);
  const ownOf = ({ requestIds, taskId }: SentCheck): ReadonlySet<UsageEntry> =>
    new Set([
      ...requestIds.flatMap((id) => byRequest.get(id) ?? []),
      ...(taskId === undefined ? [] : (byTask.get(taskId) ?? [])),
    ]);
  const claimed = new Set(sent.flatMap((check) => [...ownOf(check)]));
  const free = groupedBy(
    entries.filter((entry) => !claimed.has(entry)),
    ({ keyId }) => keyId ?? NO_KEY,
  );
  const sentWith = groupedBy(sent, ({ keyId }) => keyId ?? NO_KEY);
  return sent.map((check) => {
    const own = [...ownOf(check)];
    // A refund alone shows no charge.
    if (paymentsIn(own) > 0) return chargeOf(own, check, loggedIn(own, check));
    const isNamed = check.requestIds.length >= check.requests && check.requests > 0;
    const key = check.keyId ?? NO_KEY;
    return isNamed ? undefined : chargeByTime(check, free.get(key) ?? [], sentWith.get(key) ?? []);
  });
}

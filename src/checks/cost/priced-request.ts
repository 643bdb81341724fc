import type { CheckResult } from '../../domain/index.ts';
import { findFamily, INFERENCE_API } from '../../wire/index.ts';
import type { Job } from '../run/job.ts';
import type { SentCheck } from './charges.ts';
import type { PricedRequest } from './estimate.ts';

/** Costs money, unless it was paid for by a run before it. */
export const pays = ({ selected, isPaid }: Job): boolean => selected.entry.pays && isPaid !== true;

const pleaOf = ({ selected, model = '' }: Job) => selected.entry.plea?.(model, selected.spec);

/** What a job asks, as far as its price depends on it. */
export function pricedRequestOf(job: Job): PricedRequest {
  const { selected, model = '' } = job;
  const fingerprint = JSON.stringify([selected.spec.module, model, pleaOf(job)?.body]);
  return { model, requests: selected.entry.paidRequests ?? 1, fingerprint };
}

/** By what the log tells one kind of request from another. */
function kindOf(job: Job): Pick<SentCheck, 'paths' | 'streamed'> {
  const { selected, model = '' } = job;
  const plea = pleaOf(job);
  const family = plea && findFamily(plea.family);
  const endpoints = [...(family ? [family.endpoint] : []), ...(selected.entry.alsoAsks ?? [])];
  const paths = endpoints.map((endpoint) => INFERENCE_API[endpoint].path.replace('{model}', model));
  return { paths, streamed: plea?.body.stream === true || family?.id === 'native-image' };
}

/** What ran, as the usage log can know it again. */
export const sentCheckOf = (job: Job & { result: CheckResult }): SentCheck => ({
  keyId: job.result.keyId as never,
  model: job.model ?? '',
  ...kindOf(job),
  requestIds: job.requestIds,
  // FileContext at a task costs nothing: only its submission does.
  requests: job.selected.entry.isAsynchronous ? 1 : job.requests,
  usages: job.usages,
  startedAt: job.result.startedAt ?? 0,
  endedAt: (job.result.startedAt ?? 0) + (job.endedAfterMs ?? 0),
});

import type { ModelConfig } from '../catalog.ts';
import type { GatewayContext } from '../context.ts';
import type { Admitted } from '../keys/admission.ts';
import type { StoredEntry } from '../ledger/log.ts';
import { groupRatio, type Usage } from './price.ts';

/** The facts about a request in the log, apart from its price. */
export interface RequestFacts {
  readonly requestId: string;
  readonly address: string;
  readonly model: string;
  /** `/v1/chat/completions`. */
  readonly path: string;
  readonly isStream: boolean;
  readonly reasoningEffort?: string | undefined;
  /** The changes to the request on its way to the upstream; empty if there were none. */
  readonly conversions?: readonly string[] | undefined;
}

/** The outcome of a request. */
export interface RequestEnd {
  readonly type: number;
  readonly quota: number;
  readonly usage: Usage;
  /** Seconds from the request to its end. */
  readonly seconds: number;
  /** Milliseconds to the first event or to the answer. */
  readonly firstByteMs: number;
  readonly content?: string;
}

type Payer = Pick<Admitted, 'key' | 'account' | 'group'>;

/** Builds a log entry with every field of the contract's “Usage log entry”. */
export function logEntryFor(
  context: GatewayContext,
  paid: Payer,
  facts: RequestFacts,
  end: RequestEnd,
): Omit<StoredEntry, 'id'> {
  const { key, account, group } = paid;
  return {
    user_id: account.user_id,
    created_at: context.clock.now(),
    type: end.type,
    content: end.content ?? '',
    username: account.username,
    token_name: key.name,
    model_name: facts.model,
    quota: end.quota,
    prompt_tokens: end.usage.promptTokens,
    completion_tokens: end.usage.completionTokens,
    use_time: Math.round(end.seconds),
    is_stream: facts.isStream,
    channel: 1,
    channel_name: '',
    token_id: key.id,
    group,
    ip: facts.address,
    request_id: facts.requestId,
    other: JSON.stringify(billingMetadata(context, { group, facts, end })),
  };
}

/** Builds every key of the contract's “Keys inside `other`”. */
function billingMetadata(
  context: GatewayContext,
  { group, facts, end }: { group: string; facts: RequestFacts; end: RequestEnd },
) {
  const modelConfig: ModelConfig | undefined = context.catalog.models[facts.model];
  return {
    billing_source: 'wallet',
    model_price: modelConfig?.price ?? -1,
    model_ratio: modelConfig?.ratio ?? 1,
    cache_ratio: modelConfig?.cacheRatio ?? 1,
    cache_tokens: end.usage.cachedTokens ?? 0,
    completion_ratio: modelConfig?.completionRatio ?? 1,
    group_ratio: groupRatio(context.catalog, group),
    user_group_ratio: -1,
    reasoning_effort: facts.reasoningEffort ?? '',
    request_conversion: facts.conversions ?? [],
    request_path: facts.path,
    frt: Math.round(end.firstByteMs),
  };
}

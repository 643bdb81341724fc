// Generated from the provider's schema by `npm run generate`. Do not edit.

/** The attributes of a type of block: those that a configuration can set, and those that only the provider sets. */
export interface BlockAttributes {
  readonly arguments: readonly string[];
  readonly readOnly: readonly string[];
  /** The members of its blocks and objects, by their paths. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

export const BLOCK_ATTRIBUTES: Readonly<Record<'keyplane_api_key' | 'keyplane_check', BlockAttributes>> = {
  keyplane_api_key: {
    arguments: ['allow_ips', 'budget', 'cross_group_retry', 'enabled', 'expires_at', 'group', 'models', 'name', 'name_prefix', 'on_destroy', 'rotate_when_changed', 'rotation', 'smart_routing_tiers', 'timeouts'],
    readOnly: ['created_at', 'id', 'masked_key', 'old_generations', 'remaining_quota', 'status', 'stored_status', 'used_quota'],
    members: {
      budget: ['below', 'initial', 'per', 'quota', 'unlimited', 'usd'],
      'budget.below': ['quota', 'usd'],
      rotation: ['every', 'overlap', 'quiet'],
      timeouts: ['create', 'delete', 'read', 'update'],
    },
  },
  keyplane_check: {
    arguments: ['costly', 'expect', 'family', 'key_id', 'ledger', 'max_cost_usd', 'model', 'module', 'request', 'retries', 'timeout', 'timeouts'],
    readOnly: ['cost_quota', 'cost_usd', 'message', 'passed', 'verdict'],
    members: {
      expect: ['audio', 'contains', 'count', 'dimensions', 'format', 'height', 'json_schema', 'matches', 'max_cost_usd', 'max_first_byte_ms', 'max_input_tokens', 'max_latency_ms', 'min_dimensions', 'min_height', 'min_input_tokens', 'min_width', 'seconds', 'tool_call', 'width'],
      timeouts: ['read'],
    },
  },
};

import type { Expectations } from './check.ts';

/** How Terraform calls what an answer is expected to be; dollars are named there as dollars. */
export const TERRAFORM_EXPECTATIONS = {
  contains: 'contains',
  matches: 'matches',
  jsonSchema: 'json_schema',
  toolCall: 'tool_call',
  dimensions: 'dimensions',
  minDimensions: 'min_dimensions',
  minInputTokens: 'min_input_tokens',
  maxInputTokens: 'max_input_tokens',
  count: 'count',
  format: 'format',
  width: 'width',
  height: 'height',
  minWidth: 'min_width',
  minHeight: 'min_height',
  seconds: 'seconds',
  audio: 'audio',
  maxLatencyMs: 'max_latency_ms',
  maxFirstByteMs: 'max_first_byte_ms',
  maxCost: 'max_cost_usd',
} as const satisfies Readonly<Record<keyof Expectations, string>>;

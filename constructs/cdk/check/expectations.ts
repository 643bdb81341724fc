import type { DataKeyplaneCheckExpect } from '../../gen/cdktf/data-keyplane-check/index.ts';
import type { JsonValue } from '../key/key-fields.ts';
import { jsonText } from '../values/json-text.ts';
import { jsonProblem } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';

/** What an answer must be beyond what its request already asks for. What is absent is not looked at. */
export interface SmokeCheckExpect {
  /** Texts that the answer holds, all of them. */
  readonly contains?: string | readonly string[];
  /** A regular expression (of JavaScript, with the flag `u`) that the answer matches. */
  readonly matches?: string;
  /** The answer is JSON that satisfies this JSON Schema. */
  readonly jsonSchema?: { readonly [member: string]: JsonValue };
  /** The tool that the answer calls. */
  readonly toolCall?: string;
  /** Numbers in each vector. */
  readonly dimensions?: number;
  /** At least so many numbers in each vector. */
  readonly minDimensions?: number;
  /** At least so many tokens are counted. */
  readonly minInputTokens?: number;
  /** At most so many tokens are counted. */
  readonly maxInputTokens?: number;
  /** Pictures in the answer. */
  readonly count?: number;
  /** `png`, `jpeg` or `webp`; of a video `mp4`. */
  readonly format?: 'png' | 'jpeg' | 'webp' | 'mp4';
  /** Pixels. */
  readonly width?: number;
  /** Pixels. */
  readonly height?: number;
  /** Pixels, at least. */
  readonly minWidth?: number;
  /** Pixels, at least. */
  readonly minHeight?: number;
  /** Seconds that the video takes, to the nearest. */
  readonly seconds?: number;
  /** Has the video sound? */
  readonly audio?: boolean;
  /** Milliseconds until the answer is whole. */
  readonly maxLatencyMs?: number;
  /** Milliseconds until the answer begins. */
  readonly maxFirstByteMs?: number;
  /** US dollars that the usage log may tell for it, exact. */
  readonly maxCost?: number | string;
}

/** Expectations as the data source writes them. */
export function expectConfig(expect: SmokeCheckExpect): DataKeyplaneCheckExpect {
  const { contains, jsonSchema, maxCost, ...rest } = expect;
  return {
    ...rest,
    ...(contains === undefined ? {} : { contains: typeof contains === 'string' ? [contains] : [...contains] }),
    ...(jsonSchema !== undefined && jsonProblem(jsonSchema, isUnresolved) === undefined
      ? { jsonSchema: jsonText(jsonSchema) }
      : {}),
    // Terraform reads a decimal text as the exact number.
    ...(maxCost === undefined ? {} : { maxCostUsd: maxCost as number }),
  };
}

// Generated from src/domain/check/assertions.ts by `npm run generate`. Do not edit.
import type { JsonValue } from '../key/amounts.ts';

/** Assertions about the answer, beyond what the request already asks for. */
export interface SmokeCheckExpect {
  /** Texts that the answer must contain, all of them. Case matters. */
  readonly contains?: string | readonly string[];
  /** Regular expression that the answer must match. */
  readonly matches?: string;
  /** JSON Schema that the answer, read as JSON, must satisfy. */
  readonly jsonSchema?: { readonly [member: string]: JsonValue };
  /** Name of the tool that the answer must call. */
  readonly toolCall?: string;
  /** Exact number of dimensions of each vector. */
  readonly dimensions?: number;
  /** Minimum number of dimensions of each vector. */
  readonly minDimensions?: number;
  /** Minimum number of tokens in the count. */
  readonly minInputTokens?: number;
  /** Maximum number of tokens in the count. */
  readonly maxInputTokens?: number;
  /** Exact number of images in the answer. */
  readonly count?: number;
  /** File format: `png`, `jpeg` or `webp` of an image, `mp4` of a video. */
  readonly format?: 'png' | 'jpeg' | 'webp' | 'mp4';
  /** Exact width in pixels. */
  readonly width?: number;
  /** Exact height in pixels. */
  readonly height?: number;
  /** Minimum width in pixels. */
  readonly minWidth?: number;
  /** Minimum height in pixels. */
  readonly minHeight?: number;
  /** Length of the video in seconds, within half a second. */
  readonly seconds?: number;
  /** `true` if the video must have sound, `false` if it must be silent. */
  readonly audio?: boolean;
  /** Maximum time until the answer is complete, in milliseconds. For a video: until its task ends. */
  readonly maxLatencyMs?: number;
  /** Maximum time until the first byte of the answer, in milliseconds. */
  readonly maxFirstByteMs?: number;
  /** Maximum cost in US dollars, exact, according to the usage log. */
  readonly maxCost?: number | string;
}

import * as z from 'zod';
import { mustNotBeSent, type Rule, textUpTo } from '../../family.ts';
import { ALPHA_SIZE_RULE, AlphaSize } from './alpha-size.ts';

const PROMPT_LENGTH = 32_000;
/** Formats that know how much they lose, and those that know what is not there. */
const COMPRESSED: readonly string[] = ['jpeg', 'webp'];
const CLEAR: readonly string[] = ['png', 'webp'];

/** The fields that generation and editing of family alpha have in common. */
export const ALPHA_FIELDS = {
  model: z.string().min(1),
  prompt: textUpTo(PROMPT_LENGTH).min(1),
  n: z.int().min(1).max(10).default(1),
  size: AlphaSize,
  quality: z.enum(['low', 'medium', 'high', 'auto']).default('auto'),
  background: z.enum(['auto', 'opaque', 'transparent']).default('auto'),
  output_format: z.enum(['png', 'jpeg', 'webp']).default('png'),
  output_compression: z.int().min(0).max(100).default(100),
  stream: z.boolean().default(false),
  partial_images: z.int().min(0).max(3).optional().describe('0: the final image only; fewer than asked may arrive'),
  user: z.string().optional().describe('end-user identifier'),
};

interface AlphaBody {
  readonly size?: string | undefined;
  readonly background?: string | undefined;
  readonly output_format?: string | undefined;
  readonly output_compression?: number | undefined;
  readonly stream?: boolean | undefined;
  readonly partial_images?: number | undefined;
}

const DEFAULT_FORMAT = 'png';

/** The limits that generation and editing of family alpha have in common. */
export const ALPHA_RULES: readonly Rule<AlphaBody>[] = [
  ALPHA_SIZE_RULE,
  {
    field: 'background',
    limit: '`transparent` only with `output_format` `png` or `webp`; on `alpha-image-2` a preview',
    check: ({ background, output_format: format = DEFAULT_FORMAT }) =>
      background === 'transparent' && !CLEAR.includes(format)
        ? `cannot be transparent in ${format}: output_format must be ${CLEAR.join(' or ')}`
        : undefined,
  },
  {
    field: 'output_compression',
    limit: 'only with `output_format` `jpeg` or `webp`',
    check: ({ output_compression: compression, output_format: format = DEFAULT_FORMAT }) =>
      compression !== undefined && !COMPRESSED.includes(format)
        ? `must not be sent for ${format}: output_format must be ${COMPRESSED.join(' or ')}`
        : undefined,
  },
  {
    field: 'partial_images',
    limit: 'only with `stream`',
    check: ({ partial_images: partials, stream }) =>
      partials !== undefined && stream !== true ? 'must not be sent without stream' : undefined,
  },
  mustNotBeSent('response_format', 'must not be sent: the answer holds Base64'),
  mustNotBeSent('style', 'must not be sent'),
];

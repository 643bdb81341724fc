import { z } from 'zod';
import type { Family } from '../family.ts';

export const TokenCountRequest = z.looseObject({ model: z.string().min(1) });
export type TokenCountRequest = z.input<typeof TokenCountRequest>;

export const TOKEN_COUNTING: Family<TokenCountRequest> = {
  id: 'token-counting',
  title: 'Token counting',
  endpoint: 'countTokens',
  form: 'json',
  body: TokenCountRequest,
  rules: [],
  media: [],
};

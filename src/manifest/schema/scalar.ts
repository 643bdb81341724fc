import * as z from 'zod';
import { MODEL_ID } from '../../domain/index.ts';
import type { FieldMessageName } from './field-messages.ts';

/** Names the message of a schema's issues: an entry of FIELD_MESSAGES, or a field of a key. */
export const withMessage = (name: FieldMessageName): { error: FieldMessageName } => ({ error: name });

/** The mark of a field that cannot contain a reference, in the metadata of its schema. */
export const VERBATIM = 'x-verbatim';

/** A string that matches a pattern. Patterns have the `u` flag, here and in JSON Schema. */
export const matching = (pattern: RegExp, name: FieldMessageName) =>
  z.string(withMessage(name)).regex(pattern, withMessage(name));

/** A string whose pattern the JSON Schema documents, and whose kind parses it. */
export const parsedText = (pattern: RegExp | undefined, name: FieldMessageName) =>
  z.string(withMessage(name)).meta(pattern ? { pattern: pattern.source } : {});

/** A string that is not empty, on one line. */
export const line = (name: FieldMessageName = 'text') => matching(/^[^\p{Cc}]+$/u, name);

/** `true` and `false`, also as strings, which `${env:NAME}` gives. */
export const flag = () =>
  z.union([z.boolean(), z.enum(['true', 'false'])], withMessage('flag')).transform((value) => String(value) === 'true');

/** The names that the contract and deployed gateways accept; other rules count bytes. */
const NAME_PATTERN = /^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029]{1,50}(?<!\s)$/u;

export const nameText = () => matching(NAME_PATTERN, 'name');

export const modelId = () => matching(MODEL_ID, 'model-id');

const glob = () => matching(/^[^\p{Cc}]+$/u, 'globs');

const oneOrMore = (value: string | string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

/** One pattern, or several: at least one. */
export const globs = () =>
  z.union([glob(), z.array(glob()).min(1, withMessage('globs'))], withMessage('globs')).transform(oneOrMore);

export const globList = () => z.union([glob(), z.array(glob())], withMessage('glob-list')).transform(oneOrMore);

/** A whole number, also as a string, which `${env:NAME}` gives. */
export const wholeNumber = (least: 0 | 1, name: FieldMessageName) =>
  z.union(
    [
      z.int(withMessage(name)).min(least, withMessage(name)),
      matching(least === 0 ? /^\d{1,9}$/u : /^[1-9]\d{0,8}$/u, name),
    ],
    withMessage(name),
  );

/** A number as decimal text, with all its digits. Its kind checks the range, which the JSON Schema documents. */
export const decimalText = (
  range: { readonly type?: 'integer'; readonly minimum: number; readonly maximum: number },
  pattern: RegExp,
  name: FieldMessageName,
) => z.union([z.number(withMessage(name)).meta(range), matching(pattern, name)], withMessage(name)).transform(String);

/** An amount of US dollars as a string. */
export const USD_TEXT = /^\d{1,10}(\.\d{1,18})?$/u;

export const duration = () => matching(/^[1-9]\d{0,6}[smhd]$/u, 'duration');

import { z } from 'zod';
import { GROUP_NAME, MODEL_ID } from '../../domain/index.ts';
import type { FieldMessageName } from './field-messages.ts';

/** Ties a schema to its explanation: the name of an entry of FIELD_MESSAGES is the message of its issues. */
export const says = (name: FieldMessageName): { error: FieldMessageName } => ({ error: name });

/** A text of a given form. Patterns are read with the `u` flag, here and by JSON Schema. */
export const textOf = (pattern: RegExp, name: FieldMessageName) => z.string(says(name)).regex(pattern, says(name));

/** Any text but the empty one, on one line. */
export const line = (name: FieldMessageName = 'text') => textOf(/^[^\p{Cc}]+$/u, name);

/** `true` and `false`, also as text: that is what `${env:NAME}` gives. */
export const flag = () => z.union([z.boolean(), z.enum(['true', 'false'])], says('flag'));

/** What the contract and deployed gateways take for a name; the rest of the rules is counted in bytes. */
const NAME_PATTERN = /^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029]{1,50}(?<!\s)$/u;

export const nameText = () => textOf(NAME_PATTERN, 'name');

export const modelId = () => textOf(MODEL_ID, 'model-id');

export const groupName = () => textOf(GROUP_NAME, 'group');

const glob = () => textOf(/^[^\p{Cc}]+$/u, 'globs');

export const globs = () => z.union([glob(), z.array(glob()).min(1, says('globs'))], says('globs'));

export const globList = () => z.union([glob(), z.array(glob())], says('glob-list'));

/** A whole number, also as text: that is what `${env:NAME}` gives. */
export const wholeNumber = (least: 0 | 1, name: FieldMessageName) =>
  z.union(
    [z.int(says(name)).min(least, says(name)), textOf(least === 0 ? /^\d{1,9}$/u : /^[1-9]\d{0,8}$/u, name)],
    says(name),
  );

export const duration = () => textOf(/^[1-9]\d{0,6}[smhd]$/u, 'duration');

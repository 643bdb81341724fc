import { z } from 'zod';
import {
  ASSERTION_KINDS,
  ASSERTION_NAMES,
  ASSERTIONS,
  type AssertionKind,
  type AssertionName,
  MEDIA_FORMATS,
} from '../../domain/index.ts';
import { usd } from './budget.ts';
import { flag, line, says, textOf, wholeNumber } from './scalar.ts';

const pattern = () =>
  line('pattern').refine((text) => ASSERTION_KINDS.pattern.parse(text) !== undefined, says('pattern'));

const seconds = () =>
  z.union(
    [z.number(says('seconds')).positive(says('seconds')), textOf(/^(?![0.]+$)\d{1,6}(\.\d{1,6})?$/u, 'seconds')],
    says('seconds'),
  );

/** The schema of each kind of value. */
const KINDS: { readonly [K in AssertionKind]: () => z.ZodType } = {
  text: () => line('text'),
  texts: () => z.union([line('contains'), z.array(line('contains')).min(1, says('contains'))], says('contains')),
  pattern,
  jsonSchema: () => z.looseObject({}, says('json-schema')),
  count: () => wholeNumber(1, 'count'),
  seconds,
  flag,
  mediaFormat: () => textOf(new RegExp(`^(${MEDIA_FORMATS.join('|')})$`, 'u'), 'media-format'),
  usd,
};

const schemaOf = (name: AssertionName): z.ZodType => {
  const { kind, doc } = ASSERTIONS[name];
  return KINDS[kind]().describe(doc).optional();
};

/** The assertions of a check: what the answer must be, beyond what the request asks for. */
export const Expect = z
  .strictObject(Object.fromEntries(ASSERTION_NAMES.map((name) => [name, schemaOf(name)])), says('expect'))
  .meta({ id: 'Expect', description: 'Assertions about the answer of a check.' });

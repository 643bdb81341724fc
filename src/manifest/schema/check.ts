import { z } from 'zod';
import { CHECK_CLASSES, CHECK_MODULES } from '../../domain/index.ts';
import { Expect } from './expect.ts';
import { duration, line, modelId, says } from './scalar.ts';

const MODULE_NAMES = Object.values(CHECK_MODULES).flat();

/** What a selection may name beside the checks that the manifest defines. */
export const SELECTORS: readonly string[] = [...MODULE_NAMES, ...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

/** Names that a definition can not take: a selection could mean either. */
export const RESERVED_CHECK_NAMES: readonly string[] = [...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

const MOST_RETRIES = 5;

/** The fields of a check that are ours. Whatever else stands there is a field of its request. */
const ownFields = {
  module: z.enum(MODULE_NAMES, says('module')).describe('What is asked of the gateway.'),
  model: modelId().describe('The model that is asked. Absent: one of the key’s own.').optional(),
  family: line('text').describe('How a video model is asked whose name does not tell.').optional(),
  expect: Expect.optional(),
  retries: z
    .int(says('retries'))
    .min(0, says('retries'))
    .max(MOST_RETRIES, says('retries'))
    .describe('How often it is tried again when it fails.')
    .optional(),
  timeout: duration().describe('For one attempt.').optional(),
  schedule: z
    .enum(CHECK_CLASSES, says('class'))
    .describe('What the check costs. Default: what its module costs.')
    .optional(),
};

export const OWN_CHECK_FIELDS: readonly string[] = Object.keys(ownFields);
export const EXPECT_FIELDS: readonly string[] = Object.keys(Expect.shape);

/** A named check. */
export const CheckDefinition = z.looseObject(ownFields, says('check-definition')).meta({
  id: 'Check',
  description: 'A smoke check. Other fields are those of its request, by the contract’s own names.',
});

export const CheckSelection = z
  .array(line('checks'), says('checks'))
  .describe('Which checks prove the key: names of checks, modules, kinds or classes.');

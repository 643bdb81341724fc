import { z } from 'zod';
import { CHECK_CLASSES, CHECK_MODULES, tryParseDuration } from '../../domain/index.ts';
import { Expect } from './expect.ts';
import { duration, line, modelId, says, wholeNumber } from './scalar.ts';

const MODULES = Object.values(CHECK_MODULES).flat();
export const MODULE_NAMES: readonly string[] = MODULES;

/** What a selection may name beside the checks that the manifest defines. */
export const SELECTORS: readonly string[] = [...MODULE_NAMES, ...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

/** Names that a definition can not take: a selection could mean either. */
export const RESERVED_CHECK_NAMES: readonly string[] = [...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

const MOST_RETRIES = 5;
const LONGEST_ATTEMPT_S = 24 * 3600;

const retries = () => wholeNumber(0, 'retries').refine((count) => Number(count) <= MOST_RETRIES, says('retries'));

const timeout = () => duration().refine((text) => (tryParseDuration(text) ?? 0) <= LONGEST_ATTEMPT_S, says('timeout'));

/** The fields of a check that are ours. Whatever else stands there is a field of its request. */
const ownFields = {
  module: z.enum(MODULES, says('module')).describe('What is asked of the gateway.'),
  model: modelId().describe('The model that is asked. Absent: one of the key’s own.').optional(),
  family: line('text').describe('How a video model is asked whose name does not tell.').optional(),
  expect: Expect.optional(),
  retries: retries().describe('How often it is tried again when it fails: 0 to 5.').optional(),
  timeout: timeout().describe('For one attempt.').optional(),
  schedule: z
    .enum(CHECK_CLASSES, says('class'))
    .describe('What the check costs. Default: what its module costs.')
    .optional(),
};

export const OWN_CHECK_FIELDS: readonly string[] = Object.keys(ownFields);

/** Fields of requests of the contract that are called like an expectation. */
const ASKED_FOR_TOO: readonly string[] = ['dimensions', 'seconds'];

/** Expectations that no request of the contract has a field of the same name for. */
export const MISPLACED_ASSERTIONS: readonly string[] = Object.keys(Expect.shape).filter(
  (name) => !ASKED_FOR_TOO.includes(name),
);

/** A named check. */
export const CheckDefinition = z.looseObject(ownFields, says('check-definition')).meta({
  id: 'Check',
  description: 'A smoke check. Other fields are those of its request, by the contract’s own names.',
});

export const CheckSelection = z
  .array(line('checks'), says('checks'))
  .describe('Which checks prove the key: names of checks, modules, kinds or classes.');

import * as z from 'zod';
import {
  CHECK_CLASSES,
  CHECK_MODULES,
  LONGEST_ATTEMPT_S,
  MOST_RETRIES,
  once,
  tryParseDuration,
} from '../../domain/index.ts';
import { expectSchema } from './expect.ts';
import { shapeOf } from './forms.ts';
import { duration, line, modelId, wholeNumber, withMessage } from './scalar.ts';

const MODULES = Object.values(CHECK_MODULES).flat();
export const MODULE_NAMES: readonly string[] = MODULES;

/** The names that a selection may use in addition to the checks of the manifest. */
export const SELECTORS: readonly string[] = [...MODULE_NAMES, ...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

const retries = () =>
  wholeNumber(0, 'retries')
    .transform(Number)
    .refine((count) => count <= MOST_RETRIES, withMessage('retries'));

/** In seconds. */
const timeout = () =>
  duration()
    .transform((text) => tryParseDuration(text) ?? 0)
    .refine((seconds) => seconds <= LONGEST_ATTEMPT_S, withMessage('timeout'));

/** The fields of the check itself. All others are fields of its request. */
const ownFields = {
  module: once(() => z.enum(MODULES, withMessage('module')).describe('What the check does.')),
  model: once(() => modelId().describe('The model to call. Omitted: one of the key’s own.').optional()),
  family: once(() =>
    line('text').describe('The model family, if the name of a video model does not determine it.').optional(),
  ),
  expect: once(() => expectSchema().optional()),
  retries: once(() => retries().describe('The number of retries after a failure: 0 to 5.').optional()),
  timeout: once(() => timeout().describe('The time limit of one attempt.').optional()),
  schedule: once(() =>
    z
      .enum(CHECK_CLASSES, withMessage('class'))
      .describe('The cost class of the check. Default: that of its module.')
      .optional(),
  ),
};

export const OWN_CHECK_FIELDS: readonly string[] = Object.keys(ownFields);

/** A named check. */
export const checkDefinition = once(() =>
  z.looseObject(shapeOf(ownFields), withMessage('check-definition')).meta({
    id: 'Check',
    description: 'A smoke check. Other fields belong to its request, under the contract’s own names.',
  }),
);

export const checkSelection = () =>
  z
    .array(line('checks'), withMessage('checks'))
    .describe('The checks that test the key: names of checks, modules, kinds or classes.');

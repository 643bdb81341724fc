import { z } from 'zod';
import { CHECK_CLASSES, CHECK_MODULES } from '../../domain/index.ts';
import { line, modelId, says } from './scalar.ts';

const MODULE_NAMES = Object.values(CHECK_MODULES).flat();

/** What a selection may name beside the checks that the manifest defines. */
export const SELECTORS: readonly string[] = [...MODULE_NAMES, ...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

/** Names that a definition can not take: a selection could mean either. */
export const RESERVED_CHECK_NAMES: readonly string[] = [...Object.keys(CHECK_MODULES), ...CHECK_CLASSES];

/** A named check. Fields beside these are the request's and the expectations', and are kept as they are. */
export const CheckDefinition = z
  .looseObject(
    {
      module: z.enum(MODULE_NAMES, says('module')).describe('What is asked of the gateway.'),
      model: modelId().describe('The model that is asked.').optional(),
      schedule: z.enum(CHECK_CLASSES, says('class')).describe('What the check costs.').optional(),
    },
    says('check-definition'),
  )
  .meta({
    id: 'Check',
    description: 'A smoke check. Other fields are those of the request and of what it must answer.',
  });

export const CheckSelection = z
  .array(line('checks'), says('checks'))
  .describe('Which checks prove the key: names of checks, modules or classes.');

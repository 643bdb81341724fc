import * as z from 'zod';
import { auditRuleNames, METADATA_TEXT, once } from '../../domain/index.ts';
import { shapeOf } from './forms.ts';
import { matching, withMessage } from './scalar.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/u;

/** The end of a day in UTC; undefined for a day that does not exist. */
function endOfDay(text: string): number | undefined {
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at / 1000 + 86_400;
}

const until = () =>
  matching(DATE, 'until')
    .refine((text) => endOfDay(text) !== undefined, withMessage('until'))
    .transform((text) => endOfDay(text) ?? 0)
    .describe('The last day of the waiver, in UTC. After it, the waiver is a finding.');

const waiver = () =>
  z
    .strictObject(
      {
        rule: z.enum(auditRuleNames(), withMessage('audit-rule')).describe('The rule that is waived.'),
        keys: matching(/^[^\p{Cc}]+$/u, 'globs').describe('The keys that it is waived for: a name or a pattern.'),
        reason: matching(METADATA_TEXT, 'metadata').describe('The reason, in one line.'),
        until: until(),
      },
      withMessage('waiver'),
    )
    .meta({ id: 'Waiver', description: 'Leaves the findings of one audit rule for some keys and a time.' });

/** The fields of an audit. */
export const AUDIT_FORMS = {
  waivers: once(() =>
    z.array(waiver(), withMessage('waivers')).describe('Findings that are accepted for a time.').optional(),
  ),
};

export const auditSchema = () =>
  z.strictObject(shapeOf(AUDIT_FORMS), withMessage('map')).meta({ id: 'Audit', description: 'What an audit accepts.' });

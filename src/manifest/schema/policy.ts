import * as z from 'zod';
import { KEY_RULES, type KeyRuleName, keyRuleNames, once, TOTAL_EXPOSURE_DOC } from '../../domain/index.ts';
import type { FieldMessageName } from './field-messages.ts';
import { shapeOf } from './forms.ts';
import { amount } from './key-fields.ts';
import { duration, globs, withMessage } from './scalar.ts';

const list = () => z.array(z.string(withMessage('policy-list')), withMessage('policy-list')).meta({ minItems: 1 });

const needed = (limit: z.ZodType, name: FieldMessageName) => z.union([z.literal(true), limit], withMessage(name));

const most = () => amount('policy-amount');

/** The form of each rule. Its values are judged where programs judge theirs. */
const FORMS: { readonly [N in KeyRuleName]: () => z.ZodType } = {
  budget: () => needed(most(), 'policy-amount'),
  exposure: most,
  expires: () => needed(duration(), 'policy-duration'),
  models: () => needed(list(), 'policy-list'),
  forbiddenModels: list,
  allowIps: () => needed(list(), 'policy-list'),
  owner: () => needed(list(), 'policy-list'),
};

const rules = Object.fromEntries(
  keyRuleNames().map((name) => [name, once(() => FORMS[name]().describe(KEY_RULES[name].doc).optional())]),
);

/** The fields of a policy. */
export const POLICY_FORMS = {
  ...rules,
  totalExposure: once(() => most().describe(TOTAL_EXPOSURE_DOC).optional()),
  except: once(() => globs().describe('Names of keys that no rule applies to.').optional()),
};

export const policySchema = () =>
  z
    .strictObject(shapeOf(POLICY_FORMS), withMessage('map'))
    .meta({ id: 'Policy', description: 'Rules that every declared key must keep.' });

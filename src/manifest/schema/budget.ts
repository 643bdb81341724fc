import { z } from 'zod';
import { BUDGET_FIELDS, KEY_FIELDS, QUOTA_LIMIT, USD_LIMIT } from '../../domain/index.ts';
import { says, textOf } from './scalar.ts';

export const usd = () =>
  z
    .union(
      [
        z.number(says('amount')).min(0, says('amount')).max(USD_LIMIT, says('amount')),
        textOf(/^\d{1,10}(\.\d{1,18})?$/u, 'amount'),
      ],
      says('amount'),
    )
    .describe(BUDGET_FIELDS.usd);

const quota = () =>
  z
    .union(
      [z.int(says('quota')).min(0, says('quota')).max(QUOTA_LIMIT, says('quota')), textOf(/^\d{1,15}$/u, 'quota')],
      says('quota'),
    )
    .describe(BUDGET_FIELDS.quota);

const per = () => textOf(/^(hour|day|week|month|[1-9]\d{0,3}d)$/u, 'window').describe(BUDGET_FIELDS.per);

const amount = () => z.union([z.strictObject({ usd: usd() }), z.strictObject({ quota: quota() })], says('below'));

const below = () => amount().describe(BUDGET_FIELDS.below);

const initial = () => z.union([z.literal(true), z.literal('true')], says('initial')).describe(BUDGET_FIELDS.initial);

/** The five forms of a budget, in either unit. Forms, not options: what excludes one another can not be written. */
export const Budget = z
  .union(
    [
      z.literal('unlimited', says('budget')),
      z.strictObject({ usd: usd() }),
      z.strictObject({ usd: usd(), per: per() }),
      z.strictObject({ usd: usd(), below: below() }),
      z.strictObject({ usd: usd(), initial: initial() }),
      z.strictObject({ quota: quota() }),
      z.strictObject({ quota: quota(), per: per() }),
      z.strictObject({ quota: quota(), below: below() }),
      z.strictObject({ quota: quota(), initial: initial() }),
    ],
    says('budget'),
  )
  .meta({ id: 'Budget', description: KEY_FIELDS.budget.doc });

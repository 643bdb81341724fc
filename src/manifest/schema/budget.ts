import { z } from 'zod';
import { says, textOf } from './scalar.ts';

/** The largest grant in dollars: at any rate that is in use its quota is still an exact integer. */
export const USD_LIMIT = 10_000_000_000;

export const usd = () =>
  z
    .union(
      [
        z.number(says('amount')).min(0, says('amount')).max(USD_LIMIT, says('amount')),
        textOf(/^\d{1,10}(\.\d{1,18})?$/u, 'amount'),
      ],
      says('amount'),
    )
    .describe('US dollars, exact: the digits count as written.');

const quota = () =>
  z
    .union([z.int(says('quota')).min(0, says('quota')), textOf(/^\d{1,15}$/u, 'quota')], says('quota'))
    .describe('Internal quota units of the gateway.');

const per = () =>
  textOf(/^(hour|day|week|month|[1-9]\d{0,3}d)$/u, 'window').describe(
    'An allowance for each window of time, in UTC: hour, day, week, month, or a number of days such as 7d.',
  );

const amount = () => z.union([z.strictObject({ usd: usd() }), z.strictObject({ quota: quota() })], says('below'));

const below = () => amount().describe('Filled up to the budget when less than this remains.');

const initial = () => z.union([z.literal(true), z.literal('true')], says('initial')).describe('Set at creation only.');

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
  .meta({ id: 'Budget', description: 'What the key may spend.' });

import { describe, expect, it } from 'vitest';
import { renderChangeMarkdown } from '../../../src/cli/output/changes/markdown.ts';
import { renderChangeHtml } from '../../../src/cli/output/html/changes.ts';
import { planData } from '../../../src/cli/output/json/plan-data.ts';
import { paintOf } from '../../../src/cli/output/layout/paint.ts';
import { renderPlan } from '../../../src/cli/output/plan.ts';
import { DRIFT_WORDING, PLAN_WORDING } from '../../../src/cli/output/wording.ts';
import { type Budget, type DesiredState, decimalOf, type Plan, quota } from '../../../src/domain/index.ts';
import { observe, plan } from '../../../src/reconcile/index.ts';
import { declare, emptyAccount, live, NOW, state, TRUSTED } from '../../reconcile/account.ts';

const usd = (dollars: number) => ({ usd: decimalOf(dollars) });
const once = (dollars: number): Budget => ({ kind: 'lifetime', amount: usd(dollars) });
const per = (dollars: number, window: 'hour' | 'month'): Budget => ({
  kind: 'window',
  amount: usd(dollars),
  per: window,
});
const UNLIMITED: Budget = { kind: 'unlimited' };
const TOP_UP: Budget = { kind: 'top-up', amount: usd(10), below: usd(2.5) };

/** An account with the unspent key `prod-a`, which holds $10, and `prod-b`, whose budget stays as it is. */
async function planned(desired: DesiredState, basis?: DesiredState): Promise<Plan> {
  const store = emptyAccount({ wallet: quota(50_000_000) });
  for (const name of ['prod-a', 'prod-b']) store.seed(live(name));
  return plan(desired, await observe(store, desired, { now: NOW, ...TRUSTED }), NOW, { basis });
}

const B = declare('prod-b', { budget: per(10, 'month') });
const a = (budget: Budget): DesiredState => state([declare('prod-a', { budget }), B]);
const pruning = state([B], { scope: ['prod-*'], prune: 'delete' });

const rendered = (made: Plan): string => {
  const text = renderPlan(made, NOW, { paint: paintOf(false), width: 80 });
  return `${text}\n\n----- Markdown -----\n\n${renderChangeMarkdown({ plan: made, now: NOW, wording: PLAN_WORDING, refusals: [] })}`;
};

describe('a plan of a budget policy', () => {
  it.each<[string, DesiredState, DesiredState | undefined]>([
    ['01-once-to-hour', a(per(10, 'hour')), a(once(10))],
    ['02-hour-to-month', a(per(10, 'month')), a(per(10, 'hour'))],
    ['03-amount-up', a(per(25, 'month')), a(per(10, 'month'))],
    ['04-amount-down', a(once(7.5)), a(once(10))],
    ['05-limited-to-unlimited', a(UNLIMITED), a(per(10, 'month'))],
    ['06-below', a(TOP_UP), a(once(10))],
    [
      '07-create',
      state([...a(per(10, 'month')).keys, declare('prod-c', { budget: per(25, 'month') })]),
      a(per(10, 'month')),
    ],
    ['08-delete', pruning, a(per(10, 'month'))],
    ['09-unknown-before', a(per(10, 'hour')), undefined],
    ['10-other-field', state([declare('prod-a', { group: 'vip', budget: per(10, 'hour') }), B]), undefined],
    [
      '11-other-field-known-before',
      state([declare('prod-a', { group: 'vip', budget: per(10, 'hour') }), B]),
      a(per(10, 'hour')),
    ],
  ])('looks as in %s', async (name, desired, basis) => {
    const text = rendered(await planned(desired, basis));
    expect(text.split('\n').length).toBeLessThanOrEqual(40);
    await expect(text).toMatchFileSnapshot(`../../golden/policy/${name}.txt`);
  });

  it('is not called nothing when only policies changed, or may have changed', async () => {
    expect(rendered(await planned(a(per(10, 'hour')), a(once(10))))).not.toContain('nothing to do');
    expect(rendered(await planned(a(per(10, 'hour'))))).not.toContain('nothing to do');
    expect(rendered(await planned(a(once(10)), a(once(10))))).toContain('nothing to do');
  });

  it('has the totals and every policy in HTML and JSON', async () => {
    const made = await planned(a(per(10, 'hour')), a(once(10)));
    const page = renderChangeHtml({ plan: made, now: NOW, wording: PLAN_WORDING, refusals: [] });
    expect(page).toContain('<strong>Maximum exposure per month: $20.00 → $7,210.00</strong>');
    expect(page).toContain('budget: $10 once → $10/hour');
    expect(planData(made, [])).toMatchObject({
      summary: {
        policiesChanged: 1,
        exposure: {
          before: { usd: '20.00', units: '10000000', unbounded: 0, unknown: 0 },
          after: { usd: '7210.00', units: '3605000000', unbounded: 0, unknown: 0 },
        },
      },
      policies: [
        {
          name: 'prod-a',
          before: { kind: 'lifetime', amount: { usd: '10' } },
          after: { kind: 'window', amount: { usd: '10' }, per: 'hour' },
        },
        { name: 'prod-b' },
      ],
    });
  });

  it('is not part of drift, which is about the account', async () => {
    const made = await planned(a(per(10, 'hour')), a(once(10)));
    const text = renderPlan(made, NOW, { paint: paintOf(false), width: 80, wording: DRIFT_WORDING });
    expect(text).toContain('Drift: none, 2 as declared.');
    expect(text).not.toContain('$10');
  });
});

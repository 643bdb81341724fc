import { type DesiredState, decimalOf, type IpRule, keyName, quota, type Verb } from '../../src/domain/index.ts';
import { declare, NOW, state } from '../reconcile/account.ts';

/** One step of the contract suite: the declared state, and the expected changes. */
export interface Step {
  readonly title: string;
  readonly desired: DesiredState;
  /** The earlier manifest, whose difference permits an enable. */
  readonly basis?: DesiredState;
  /** `verb name` of every change that writes, in order. Repeating the step causes none. */
  readonly changes: readonly `${Verb} ${string}`[];
}

const usd = (dollars: number) => ({ usd: decimalOf(dollars) });
const dollars = (amount: number) => ({ kind: 'lifetime', amount: usd(amount) }) as const;
const YEAR = 365 * 86_400;

/**
 * The history of one account, for every implementation of the port. Each step starts where the previous one ended, and
 * runs twice: the second run has nothing to do.
 */
export const STEPS: readonly Step[] = [
  { title: 'an empty manifest', desired: state([]), changes: [] },
  {
    title: 'two new keys, one of them disabled',
    desired: state([
      declare('prod-a', { budget: dollars(25) }),
      declare('prod-b', { budget: dollars(5), enabled: false }),
    ]),
    changes: ['create prod-a', 'create prod-b'],
  },
  {
    title: 'every setting at once',
    desired: state([
      declare('prod-a', {
        group: 'vip',
        crossGroupRetry: true,
        models: ['alpha-chat-1', 'text-embedding-3-small'],
        allowIps: ['10.0.0.0/8', '2001:db8::/32'] as IpRule[],
        expires: NOW + YEAR,
        budget: dollars(30),
        smartRouting: '{"tiers":[{"model":"alpha-chat-1"}]}',
      }),
    ]),
    changes: ['update prod-a'],
  },
  {
    title: 'an omitted field is no longer managed',
    desired: state([declare('prod-a', { group: 'vip', budget: dollars(30) })]),
    changes: [],
  },
  {
    title: 'restrictions are lifted explicitly',
    desired: state([declare('prod-a', { models: null, allowIps: null, expires: null, crossGroupRetry: false })]),
    changes: ['update prod-a'],
  },
  { title: 'disable', desired: state([declare('prod-a', { enabled: false })]), changes: ['disable prod-a'] },
  { title: 'a disabled key stays disabled', desired: state([declare('prod-a')]), changes: [] },
  {
    title: 'enable',
    desired: state([declare('prod-a')]),
    basis: state([declare('prod-a', { enabled: false })]),
    changes: ['enable prod-a'],
  },
  {
    title: 'rename keeps the key',
    desired: state([
      declare('prod-checkout', { renamedFrom: keyName('prod-a') }),
      declare('prod-b', { enabled: false }),
    ]),
    changes: ['rename prod-checkout'],
  },
  {
    title: 'budgets of every kind',
    desired: state([
      declare('prod-checkout', { budget: { kind: 'unlimited' } }),
      declare('w', { budget: { kind: 'window', amount: usd(2.5), per: 'month' } }),
      declare('t', { budget: { kind: 'top-up', amount: usd(3), below: usd(1) } }),
      declare('i', { budget: { kind: 'initial', amount: { quota: quota(123) } } }),
    ]),
    changes: ['create i', 'create t', 'create w', 'update prod-checkout'],
  },
  {
    title: 'from unlimited to a grant',
    desired: state([declare('prod-checkout', { budget: dollars(1) })]),
    changes: ['update prod-checkout'],
  },
  {
    title: 'names and texts of the whole alphabet',
    desired: state([declare('ключ “ü” 🔑', { budget: { kind: 'unlimited' }, group: 'default' })]),
    changes: ['create ключ “ü” 🔑'],
  },
  {
    title: 'an undeclared key in scope is retained',
    desired: state([declare('prod-checkout')], { scope: ['prod-*'] }),
    changes: [],
  },
  {
    title: 'prune: disable',
    desired: state([declare('prod-checkout')], { scope: ['*'], prune: 'disable', protect: ['ключ*'] }),
    changes: ['disable i', 'disable t', 'disable w'],
  },
  {
    title: 'prune: delete',
    desired: state([declare('prod-checkout')], { scope: ['*'], prune: 'delete', protect: ['ключ*'] }),
    changes: ['delete i', 'delete prod-b', 'delete t', 'delete w'],
  },
  {
    title: 'a deleted name can be created again',
    desired: state([declare('prod-b', { budget: dollars(1) })]),
    changes: ['create prod-b'],
  },
];

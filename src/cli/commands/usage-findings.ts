import { type Decimal, Fault, renderInstant, type UnixSeconds } from '../../domain/index.ts';
import type { KeySpending } from '../../reconcile/index.ts';
import { renderUsd } from '../output/layout/amount.ts';
import { quoted } from '../output/layout/printable.ts';
import type { UsageFinding, WalletState } from '../output/usage/page.ts';
import type { Context } from '../program/command.ts';
import { text } from '../program/option.ts';

/** A condition of `--fail-on`. */
export type Alarm = { readonly percent: number } | 'exhausted' | 'projected';

function alarmOf(word: string): Alarm {
  if (word === 'exhausted' || word === 'projected') return word;
  const [, percent] = /^([1-9]\d?|100)%$/.exec(word) ?? [];
  if (percent !== undefined) return { percent: Number(percent) };
  throw new Fault('usage.invalid', `Invalid value for --fail-on: ${JSON.stringify(word)}.`, {
    hint: 'Write one or more of a share such as 80%, exhausted and projected, separated by commas.',
  });
}

/** The conditions of `--fail-on`. @throws Fault `usage.invalid` */
export const alarmsOf = ({ given }: Context): readonly Alarm[] =>
  (text(given, 'fail-on') ?? '').split(',').flatMap((word) => (word.trim() === '' ? [] : [alarmOf(word.trim())]));

interface AlarmLimits {
  readonly alarms: readonly Alarm[];
  readonly within: number;
  readonly now: UnixSeconds;
  readonly quotaPerUnit: Decimal;
}

const isExhausted = ({ budget }: KeySpending): boolean => budget?.remaining != null && budget.remaining <= 0n;

function findingsOfKey(
  spending: KeySpending,
  { alarms, within, now, quotaPerUnit }: AlarmLimits,
): readonly UsageFinding[] {
  const { name, id, budget, exhaustsAt } = spending;
  if (budget === undefined) return [];
  const of = { name, ...(id === undefined ? {} : { id }) };
  const { used, granted } = budget;
  return alarms.flatMap((alarm): readonly UsageFinding[] => {
    if (alarm === 'exhausted') {
      return isExhausted(spending)
        ? [{ kind: 'exhausted', ...of, text: `${quoted(name)} has used up its budget.` }]
        : [];
    }
    if (alarm === 'projected') {
      if (exhaustsAt === undefined || exhaustsAt > now + within) return [];
      const when = exhaustsAt <= now ? 'has used up its budget' : `uses up its budget on ${renderInstant(exhaustsAt)}`;
      return [{ kind: 'projected', ...of, text: `${quoted(name)} ${when}.` }];
    }
    if (used === undefined || granted === undefined || used * 100n < granted * BigInt(alarm.percent)) return [];
    const share = `${renderUsd(used, quotaPerUnit)} of ${renderUsd(granted, quotaPerUnit)}`;
    return [
      { kind: 'share', ...of, text: `${quoted(name)} has used ${alarm.percent}% of its budget or more: ${share}.` },
    ];
  });
}

function findingsOfWallet(
  { balance, exhaustsAt }: WalletState,
  { alarms, within, now }: AlarmLimits,
): readonly UsageFinding[] {
  if (balance === undefined) return [];
  const isEmpty = balance <= 0;
  if (isEmpty && alarms.length > 0) return [{ kind: 'exhausted', text: 'The wallet is empty, so no key works.' }];
  if (!alarms.includes('projected') || exhaustsAt === undefined || exhaustsAt > now + within) return [];
  return [{ kind: 'projected', text: `The wallet is empty on ${renderInstant(exhaustsAt)}; then no key works.` }];
}

/** The findings that `--fail-on` asks for, the wallet first: it stops every key. */
export const findingsOf = (
  keys: readonly KeySpending[],
  wallet: WalletState,
  limits: AlarmLimits,
): readonly UsageFinding[] => [
  ...findingsOfWallet(wallet, limits),
  ...keys.flatMap((spending) => findingsOfKey(spending, limits)),
];

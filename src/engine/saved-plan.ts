import {
  type AccountRef,
  comparableAddress,
  Fault,
  inOneLine,
  type ObservedState,
  type Plan,
} from '../domain/index.ts';
import { type Moved, moved } from '../reconcile/index.ts';

const nameOf = ({ url, userId }: AccountRef): string => `user ${userId} of ${inOneLine(url)}`;

/** @throws Fault `plan.foreign` when the plan was made for another account. */
export function refuseForeign({ account: planned }: Plan, account: AccountRef): void {
  const isSame = comparableAddress(planned.url) === comparableAddress(account.url) && planned.userId === account.userId;
  if (isSame) return;
  throw new Fault('plan.foreign', `The saved plan is for ${nameOf(planned)}, not for ${nameOf(account)}.`, {
    hint: 'Apply it with the manifest and the settings that it was made with.',
  });
}

const lineOf = ({ name, id, what }: Moved): string =>
  inOneLine(`- ${name}${id === undefined ? '' : ` (id ${id})`}: ${what}`);

/** @throws Fault `plan.stale` when something that the plan would touch has changed since it was made. */
export function refuseStale(plan: Plan, observed: ObservedState): void {
  const moves = moved(plan, observed);
  if (moves.length === 0) return;
  const lines = ['The saved plan is out of date. Changed since it was made:', ...moves.map(lineOf)];
  throw new Fault('plan.stale', lines.join('\n'), {
    hint: 'Nothing was changed. Make a new plan, and review it again.',
    detail: { moved: moves },
  });
}

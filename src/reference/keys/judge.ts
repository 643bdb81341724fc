import { groupsOf } from '../catalog.ts';
import type { GatewayContext } from '../context.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Messages } from '../profiles/messages.ts';
import type { SettingsWrite } from './rules.ts';

/** The first rule of the profile that a write of settings breaks. */
export function findBrokenRule(
  context: GatewayContext,
  account: Account,
  write: Omit<SettingsWrite, 'groups'>,
): keyof Messages | undefined {
  const judged: SettingsWrite = { ...write, groups: groupsOf(context.catalog, account) };
  return context.profile.rules.find((rule) => rule.isBroken(judged))?.message;
}

import { groupsOf } from '../catalog.ts';
import type { Site } from '../context.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Messages } from '../profiles/messages.ts';
import type { Judged } from './rules.ts';

/** The first rule of the profile that a write of settings breaks. */
export function judge(site: Site, account: Account, write: Omit<Judged, 'groups'>): keyof Messages | undefined {
  const judged: Judged = { ...write, groups: groupsOf(site.catalog, account) };
  return site.profile.rules.find((rule) => rule.isBroken(judged))?.message;
}

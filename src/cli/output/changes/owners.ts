import { hasDrift, isWithheld, type Json, type OwnerRule, type Plan } from '../../../domain/index.ts';
import { hang } from '../layout/columns.ts';
import { printable, quoted } from '../layout/printable.ts';
import type { OutlookLine } from './outlook.ts';

/** The keys of one owner that people should look at, and whom to notify. */
export interface OwnerGroup {
  /** Undefined: nobody is known to own these keys. */
  readonly owner?: string;
  readonly notify: readonly string[];
  readonly keys: readonly string[];
}

/** The inputs of the routing: a drift, its further findings, and the rules of the manifest. */
interface Routed {
  readonly plan: Plan;
  readonly outlook: readonly OutlookLine[];
  readonly owners: readonly OwnerRule[];
}

/** Groups what drifted, and the keys that need attention, by owner; keys without an owner come last. */
export function ownerGroups({ plan, outlook, owners }: Routed): readonly OwnerGroup[] {
  const known = new Map(plan.changes.map(({ name, metadata }) => [name, metadata?.owner] as const));
  const drifted = plan.changes.filter((change) => hasDrift({ changes: [change] }) || isWithheld(change));
  const names = [...new Set([...drifted.map(({ name }) => name), ...outlook.map(({ name }) => name)])];
  const byOwner = new Map<string | undefined, string[]>();
  for (const name of names) byOwner.set(known.get(name), [...(byOwner.get(known.get(name)) ?? []), name]);
  const notifyOf = (owner: string | undefined): readonly string[] =>
    owners.filter((rule) => rule.owner === owner).flatMap(({ notify }) => notify);
  return [...byOwner]
    .sort(([a], [b]) => Number(a === undefined) - Number(b === undefined) || ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([owner, keys]) => ({
      ...(owner === undefined ? {} : { owner }),
      notify: notifyOf(owner),
      keys: keys.toSorted(),
    }));
}

/** `search, notify #search-oncall: app-1, app-2`; nothing where no key has an owner. */
export function ownerLines(groups: readonly OwnerGroup[]): readonly string[] {
  if (groups.every(({ owner }) => owner === undefined)) return [];
  return groups.map(({ owner, notify, keys }) => {
    const who = owner === undefined ? 'no owner' : quoted(owner);
    const contacts = notify.length === 0 ? '' : `, notify ${notify.map(printable).join(', ')}`;
    return `${who}${contacts}: ${keys.map(quoted).join(', ')}`;
  });
}

/** The block for a terminal; empty where no key has an owner. */
export function renderOwners(groups: readonly OwnerGroup[], width: number): string {
  const lines = ownerLines(groups);
  return lines.length === 0 ? '' : ['Owners', ...lines.flatMap((line) => hang('  - ', line, width))].join('\n');
}

/** The same for machines. `owner` is null for keys that nobody is known to own. */
export const ownersData = (groups: readonly OwnerGroup[]): Json =>
  groups.map(({ owner = null, notify, keys }) => ({ owner, notify: [...notify], keys: [...keys] }));

import type { StoredKey } from '../ledger/keys.ts';
import type { Messages } from '../profiles/messages.ts';
import type { StoredSettings } from './settings.ts';

/** The groups of its own that `auto` stands for on a key: newer builds have them, and a seed whose keys have the field. */
const FIELD = 'auto_groups';

type Settled = StoredSettings & Pick<StoredKey, 'extra'>;

interface AutoGroupsWrite {
  readonly body: unknown;
  /** The key before the write; undefined for a create. */
  readonly stored: StoredKey | undefined;
  /** The groups that the account may use. */
  readonly groups: readonly string[];
}

/**
 * Applies the rules of newer builds to a write: what belongs to the group `auto` is cleared in any other group, groups that
 * the body omits are kept, and those that it has are validated. Returns the message of a refusal.
 */
export function settleAutoGroups<T extends Settled>(write: T, given: AutoGroupsWrite): T | keyof Messages {
  if (!(FIELD in write.extra)) return write;
  if (write.group !== 'auto') return { ...write, cross_group_retry: false, extra: { ...write.extra, [FIELD]: null } };
  const { body, stored, groups } = given;
  const asked = (body as Readonly<Record<string, unknown>>)[FIELD];
  if (asked === undefined) return { ...write, extra: { ...write.extra, [FIELD]: stored?.extra[FIELD] ?? null } };
  if (asked === null) return write;
  if (!Array.isArray(asked)) return 'unreadableBody';
  return asked.every((group) => groups.includes(group)) ? write : 'unknownGroup';
}

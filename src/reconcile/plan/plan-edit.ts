import {
  type Ceiling,
  type DesiredKey,
  type Edit,
  type ManagedFields,
  type ObservedKey,
  type ObservedState,
  type Plan,
  quota,
  sameSetting,
  type UnixSeconds,
} from '../../domain/index.ts';
import { settingsChange } from './decision.ts';
import { comparable, diff, settingsOfNew } from './diff.ts';
import { assemble } from './plan.ts';

interface EditContext {
  readonly observed: ObservedState;
  readonly now: UnixSeconds;
}

const NOBODY = { pairs: [], missing: [], undeclared: [], invisible: [] };

/** Makes one key, whatever is declared: for a program that asks for it. */
export function planCreate(desired: DesiredKey, ceiling: Ceiling, { observed, now }: EditContext): Plan {
  const settings = { ...settingsOfNew(desired, observed.quotaPerUnit), ...ceiling };
  const change = { verb: 'create', name: desired.name, settings, enabled: desired.enabled !== false } as const;
  return assemble({ observed, matching: NOBODY, now }, [{ changes: [change], notes: [] }]);
}

/** The settings that a program wants one live key to have. Those that are omitted stay. */
export interface KeyEdit {
  readonly key: ObservedKey;
  /** The same name, or the new one. */
  readonly name: string;
  readonly fields: ManagedFields;
  readonly ceiling?: Ceiling | undefined;
}

/** Changes one observed key, whatever is declared. The plan has no change when the key has these settings. */
export function planEdit({ key, name, fields, ceiling }: KeyEdit, { observed, now }: EditContext): Plan {
  const edits = [
    ...diff({ ...fields, name }, key, { quotaPerUnit: observed.quotaPerUnit, used: quota(0) }),
    ...(ceiling ? ceilingEdits(key, ceiling) : []),
  ];
  const changes = settingsChange({ name, id: key.id }, key, edits);
  return assemble({ observed, matching: { ...NOBODY, undeclared: [key] }, now }, [{ changes, notes: [] }]);
}

/** The remainder of an unlimited key means nothing, and stays. */
function ceilingEdits(key: ObservedKey, ceiling: Ceiling): readonly Edit[] {
  const { unlimited, remain } = comparable(key);
  const edits: readonly Edit[] = [
    { field: 'unlimited', before: unlimited, after: ceiling.unlimited },
    { field: 'remain', before: remain, after: ceiling.unlimited ? remain : ceiling.remain },
  ];
  return edits.filter(({ before, after }) => !sameSetting(before, after));
}

import {
  type ApplyReport,
  type Change,
  Fault,
  type KeySettings,
  type Pending,
  SETTINGS,
  type SettingName,
  sameSetting,
} from '../../domain/index.ts';
import { patchOf } from '../plan/diff.ts';
import { showSetting } from '../plan/moved.ts';

/** A setting that the run wrote, and the value that the gateway shows for it afterwards. */
interface LostSetting {
  readonly name: string;
  readonly field: SettingName;
  readonly sent: string;
  readonly stored: string;
}

/** The most settings that the message lists; the detail has all of them. */
const SHOWN = 5;

/** The changes of the plan made again that write the same values once more: the gateway did not keep them. */
export function notKept({ outcomes, after }: ApplyReport): { readonly changes: ReadonlySet<Change>; faults: Fault[] } {
  const sent = new Map(outcomes.flatMap((o) => (o.state === 'applied' ? [[o.id, o.change] as const] : [])));
  const changes = new Set<Change>();
  const lost = (after?.changes ?? []).flatMap((change): LostSetting[] => {
    const mine = 'edits' in change ? sent.get(change.id) : undefined;
    // Without a desired state, what was sent stands for what is left to do, and the edits do not show what is stored.
    if (!('edits' in change) || mine === undefined || mine === change) return [];
    const written = settingsOf(mine);
    const again = change.edits.filter(
      ({ field, after: wanted }) =>
        field !== 'remain' && field in written && sameSetting(written[field] ?? null, wanted),
    );
    if (again.length === change.edits.length) changes.add(change);
    return again.map(({ field, before, after: wanted }) => ({
      name: change.name,
      field,
      sent: showSetting(field, wanted),
      stored: showSetting(field, before),
    }));
  });
  return { changes, faults: lost.length === 0 ? [] : [faultOf(lost)] };
}

const settingsOf = (change: Pending): Partial<KeySettings> => {
  if (change.verb === 'create') return change.settings;
  return 'edits' in change ? patchOf(change.edits) : {};
};

function faultOf(lost: readonly LostSetting[]): Fault {
  const texts = lost
    .slice(0, SHOWN)
    .map(({ name, field, sent, stored }) => `${SETTINGS[field].label} of “${name}” (sent ${sent}, stored ${stored})`);
  const more = lost.length > SHOWN ? [`and ${lost.length - SHOWN} more`] : [];
  return new Fault('apply.not-kept', `The gateway accepted and did not keep: ${[...texts, ...more].join('; ')}.`, {
    hint: 'If nobody else changed the account, this gateway does not support the setting. Then do not declare it.',
    detail: { lost },
  });
}

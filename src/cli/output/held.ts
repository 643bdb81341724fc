import { type ApplyReport, type HeldEnable, heldEnables } from '../../domain/index.ts';
import type { Guidance } from './guidance.ts';
import { counted } from './layout/amount.ts';
import { hang } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { quoted } from './layout/printable.ts';
import type { Row } from './layout/rows.ts';
import { REASONS } from './wording.ts';

/** Returns the ways to permit a held enable; none when the gateway would refuse it anyway. */
const remedyOf = ({ name, reason }: HeldEnable, { permit }: Guidance): string | undefined =>
  reason === 'unpermitted' ? permit(name) : undefined;

/** The rows under a held enable: the reason, and how to permit it. */
export function heldRows(held: HeldEnable, guidance: Guidance): readonly Row[] {
  const remedy = remedyOf(held, guidance);
  return [
    { label: 'declared', value: 'enabled' },
    { label: 'live', value: 'disabled' },
    { label: 'because', value: REASONS[held.reason] },
    ...(remedy === undefined ? [] : [{ label: 'to enable it', value: remedy }]),
  ];
}

/** `2 disabled keys stay disabled: ci-a (id 5), ci-b (id 6).` Undefined when no enable is held. */
export function renderHeld(held: readonly HeldEnable[]): string | undefined {
  if (held.length === 0) return undefined;
  const names = held.map(({ name, id }) => `${quoted(name)} (id ${id})`).join(', ');
  return `${counted(held.length, 'disabled key')} ${held.length === 1 ? 'stays' : 'stay'} disabled: ${names}.`;
}

/** The held enables of an apply: those of its plan, and those of keys that were disabled meanwhile. */
export function renderLeftDisabled({ plan, after }: ApplyReport, look: { paint: Paint; width: number }): string {
  const all = [...heldEnables(plan), ...(after ? heldEnables(after) : [])];
  const text = renderHeld([...new Map(all.map((held) => [held.id, held])).values()]);
  return text === undefined ? '' : hang('', text, look.width).map(look.paint.bad).join('\n');
}

import {
  type Edit,
  generationName,
  type KeyName,
  type KeySettings,
  minuteOf,
  type ObservedKey,
  quota,
  type StatedEnd,
  type UnixSeconds,
} from '../../domain/index.ts';
import { comparable, patchOf } from '../plan/diff.ts';
import { birthOf, currentOf, type Lineage } from './lineage.ts';

/** A rotation that somebody asks for, whatever the schedule of the key is. */
export interface ForcedRotation {
  /** The end of the predecessor; omitted: as declared. */
  readonly end?: StatedEnd;
}

/** The reason why a key that is due gets no successor yet. */
export type Waiting = 'disabled' | 'old-generation';

/** The successor that a key gets, or the reason why it waits; undefined: none is due. */
export type Succession = { readonly name: KeyName } | { readonly waits: Waiting };

const MINUTE = 60;

/**
 * Decides whether a key gets a successor, and under which name. Pure: concurrent runs, and the runs that plan and apply,
 * find the same name, so that a successor is created once. The schedule counts from the age of the current generation, and a run
 * that comes late makes one successor, not several.
 *
 * One generation whose end is due must have ended before the schedule makes another: otherwise a reader that never changes its
 * secret would collect live keys.
 *
 * @param at the time when this was planned
 */
export function successionOf(lineage: Lineage, at: UnixSeconds, forced?: ForcedRotation): Succession | undefined {
  const { of, members } = lineage;
  const current = currentOf(lineage);
  if (forced) {
    const born = Math.max(minuteOf(at), (current.stated?.born ?? 0) + MINUTE);
    return { name: generationName(of.name, { born, ...forced }) };
  }
  if (of.rotate === undefined || of.enabled === false) return undefined;
  const { every } = of.rotate;
  const birth = birthOf(current) ?? 0;
  const periods = Math.floor((at - birth) / every);
  if (periods < 1) return undefined;
  if (current.live.status === 'disabled') return { waits: 'disabled' };
  if (members.slice(0, -1).some(({ live }) => live.status !== 'disabled')) return { waits: 'old-generation' };
  const born = Math.max(minuteOf(birth + periods * every), (current.stated?.born ?? 0) + MINUTE);
  return { name: generationName(of.name, { born }) };
}

/**
 * Returns the settings of a successor: those that its predecessor has, with the edits that its declaration asks for. So a
 * rotation lifts no restriction that somebody set by hand, and the successor may spend what is left, not the whole amount again.
 */
export const settingsOfSuccessor = (live: ObservedKey, edits: readonly Edit[], name: KeyName): KeySettings => {
  const settings = { ...comparable(live), ...patchOf(edits) };
  return { ...settings, remain: quota(Math.max(0, settings.remain)), name };
};

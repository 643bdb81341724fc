import {
  type Change,
  type DesiredKey,
  type DesiredState,
  type Edit,
  type Edits,
  metadataByRule,
  type ObservedKey,
  type PlanNote,
} from '../../domain/index.ts';
import { snapshotOf } from './diff.ts';

/** The changes and notes for one key. */
export interface Decision {
  readonly changes: readonly Change[];
  readonly notes: readonly PlanNote[];
}

export const only = (change: Change): Decision => ({ changes: [change], notes: [] });

/** The place and the metadata of a declaration. */
export const originOf = ({ place, metadata }: DesiredKey) => ({
  ...(place && { place }),
  ...(metadata && { metadata }),
});

/** A rule may name the owner of a key that is not declared. */
export function byRule(name: string, { owners }: DesiredState) {
  const metadata = metadataByRule(name, owners);
  return metadata ? { metadata } : {};
}

/** The parts that all changes of a declared live key have. */
export const commonOf = (desired: DesiredKey, { id }: ObservedKey) => ({
  name: desired.name,
  id,
  ...originOf(desired),
  ...(desired.of ? { of: desired.of } : {}),
});

/** The write of settings, if there is one. */
export function settingsChange(
  common: Omit<ReturnType<typeof commonOf>, 'name'> & { readonly name: string },
  live: ObservedKey,
  all: readonly Edit[],
): Change[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const edits: Edits = [first, ...others];
  const before = snapshotOf(live);
  if (live.name === common.name) return [{ verb: 'update', ...common, edits, before }];
  return [{ verb: 'rename', ...common, from: live.name, edits, before }];
}

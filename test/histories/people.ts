import type { Chance } from '../../scripts/soak/chance.ts';
import { keyId } from '../../src/domain/index.ts';
import type { RecordedGateway } from './recorded-gateway.ts';
import { SEEDS } from './teams.ts';

/** Fields that no manifest declares, and the status, which nobody but people changes. */
export const EDITED = ['allow_ips', 'expired_time', 'note', 'status', 'name'] as const;

const YEAR = 31_536_000;

/** People who edit keys, and programs that use them. */
export function openPeople({ memory, record }: RecordedGateway, chance: Chance) {
  let edits = 0;
  const ids = (): readonly number[] => [...memory.records.keys()];
  const valueFor = (field: (typeof EDITED)[number]): unknown => {
    switch (field) {
      case 'allow_ips':
        return `10.0.0.${edits}`;
      case 'expired_time':
        return 2_000_000_000 + YEAR + edits;
      case 'note':
        return `edit ${edits}`;
      case 'status':
        return 2;
      default:
        return `theirs-${edits}`;
    }
  };
  return {
    /** Changes one field of one key, or, seldom, deletes it. */
    edit(): void {
      const id = ids()[chance.number(ids().length)];
      const stored = id === undefined ? undefined : memory.records.get(id);
      if (id === undefined || stored === undefined) return;
      edits += 1;
      if (chance.happens(0.05)) {
        memory.records.delete(id);
        record({ actor: 'person', what: 'deletes', id });
        return;
      }
      if (chance.happens(0.1)) {
        stored.remain_quota += 100_000;
        record({ actor: 'person', what: 'edits', id, of: 'remain_quota' });
        return;
      }
      const field = chance.pick(EDITED);
      const value = valueFor(field);
      Object.assign(stored, { [field]: value });
      record({ actor: 'person', what: 'edits', id, of: field, value });
    },
    /** Somebody uses a key: one that was there at the beginning, because nobody has the secret of a new one. */
    spend(): void {
      const known = ids().filter((id) => id <= SEEDS.length && (memory.records.get(id)?.remain_quota ?? 0) > 1_000);
      const id = known[chance.number(known.length)];
      if (id === undefined || memory.records.get(id)?.status !== 1) return;
      const units = 1 + chance.number(900);
      memory.spend(keyId(id), units);
      record({ actor: 'traffic', what: 'spends', id, value: units });
    },
  };
}

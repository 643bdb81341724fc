import { describe, expect, it } from 'vitest';
import {
  type Change,
  exposedFirst,
  Fault,
  hasDrift,
  heldEnables,
  isPending,
  isWithheld,
  keyId,
  keyName,
  type Outcome,
  type Pending,
  pendingChanges,
  planNote,
  RETAIN_REASONS,
} from '../../src/domain/index.ts';
import { plainKey } from '../plain-key.ts';

const before = plainKey(1);
const on = { name: 'a', id: keyId(1) };
const CREATE = { verb: 'create', name: keyName('a'), settings: before, enabled: true } as const;
const DISABLE = { verb: 'disable', ...on, before, reason: 'declared' } as const;
const HOLD = { verb: 'hold', ...on, before, reason: 'unpermitted' } as const;
const KEEP = { verb: 'keep', ...on } as const;
const retained = RETAIN_REASONS.map((reason) => ({ verb: 'retain', ...on, reason }) as const);

describe('the changes of a plan', () => {
  const changes: readonly Change[] = [CREATE, DISABLE, HOLD, KEEP, ...retained];

  it('are pending when an apply writes them', () => {
    expect(pendingChanges({ changes })).toEqual([CREATE, DISABLE]);
    expect(isPending(HOLD)).toBe(false);
  });

  it('are withheld when they wait for a permission', () => {
    const withheld = changes.filter(isWithheld);
    expect(withheld[0]).toEqual(HOLD);
    expect(withheld.slice(1).map((change) => 'reason' in change && change.reason)).toEqual([
      'prune-never',
      'protected',
      'smart-routing',
      'enabled-in-quarantine',
      'unmarkable',
    ]);
  });

  it('hold enables back', () => {
    expect(heldEnables({ changes })).toEqual([HOLD]);
  });

  it('are drift when they write something, or hold an enable back', () => {
    expect(hasDrift({ changes: [KEEP, ...retained] })).toBe(false);
    expect(hasDrift({ changes: [] })).toBe(false);
    expect(hasDrift({ changes: [KEEP, HOLD] })).toBe(true);
    expect(hasDrift({ changes: [KEEP, CREATE] })).toBe(true);
  });
});

describe('a note of a plan', () => {
  it('is information about one key, or about the whole plan', () => {
    expect(planNote('no-budget', 'it has none', 'a')).toStrictEqual({
      severity: 'info',
      code: 'no-budget',
      message: 'it has none',
      data: { name: 'a' },
    });
    expect(planNote('groups-unverified', 'they were not')).toStrictEqual({
      severity: 'info',
      code: 'groups-unverified',
      message: 'they were not',
    });
  });
});

describe('the outcomes of a run', () => {
  const fault = new Fault('gateway.timeout', 'It took too long.');
  const unclear = (change: Pending): Outcome => ({ state: 'indeterminate', change, fault });

  it('begin with keys that work and must not, then with those that may; the others keep their order', () => {
    const disabled = { ...CREATE, enabled: false } as const;
    const applied: Outcome = { state: 'applied', change: CREATE };
    const failed: Outcome = { state: 'failed', change: disabled, fault };
    const open = unclear(disabled);
    const left: Outcome = { state: 'left-enabled', change: disabled, fault };
    const others = [applied, unclear(CREATE), failed, unclear(DISABLE)];
    expect(exposedFirst([...others, open, left])).toEqual([left, open, ...others]);
    expect(exposedFirst([applied, left, open, failed])).toEqual([left, open, applied, failed]);
  });
});

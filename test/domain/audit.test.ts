import { describe, expect, it } from 'vitest';
import { type AuditedKey, audit, type Waiver } from '../../src/domain/index.ts';
import { declare, emptyAccount, live, NOW } from '../reconcile/account.ts';

const DAY = 86_400;
const LIMITS = { now: NOW, unused: 90 * DAY, maxAge: 365 * DAY, hasManifest: true };
const declared = { ...declare('app'), rotate: { every: 30 * DAY, overlap: 2 * DAY } };

async function generation(age: number, isReplaced: boolean): Promise<AuditedKey> {
  const store = emptyAccount();
  await store.create(live('app~20260101-0000'));
  const [key] = await store.walk();
  if (key === undefined) throw new Error('no key');
  return { key: { ...key, createdAt: NOW - age * DAY }, declared, isReplaced };
}

describe('the audit of a generation', () => {
  it.each([
    [31, false, true],
    [31, true, false],
    [33, true, true],
  ])('%i days old, replaced: %s, calls it due for rotation: %s', async (age, isReplaced, isDue) => {
    const { findings } = audit([await generation(age, isReplaced)], [], LIMITS);
    expect(findings.some(({ rule }) => rule === 'rotation-due')).toBe(isDue);
  });

  it('has the waivers of the name that the manifest declares', async () => {
    const waiver: Waiver = { rule: 'no-owner', keys: 'app', reason: 'new', until: NOW + DAY };
    const { waived, unmatched } = audit([await generation(1, false)], [waiver], LIMITS);
    expect([waived.map(({ rule }) => rule), unmatched]).toEqual([['no-owner'], []]);
  });

  it('waives nothing from the end of the last day', async () => {
    const waiver: Waiver = { rule: 'no-owner', keys: 'app', reason: 'new', until: NOW };
    const { waived, findings } = audit([await generation(1, false)], [waiver], LIMITS);
    expect(waived).toEqual([]);
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['no-owner', 'expired-waiver']));
  });
});

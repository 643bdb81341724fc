import { describe, expect, it } from 'vitest';
import { type Anchor, mostUsed, safeUse } from '../../src/reconcile/index.ts';

describe('the most that a key can have used', () => {
  const outside = (moved: number, logged: number): Anchor => ({ spent: undefined, moved, logged });
  const within = (spent: number, moved: number, logged: number): Anchor => ({ spent, moved, logged });
  it.each<[string, number, readonly Anchor[], number]>([
    ['is unknown without an earlier moment', 0, [], Number.POSITIVE_INFINITY],
    ['is what the log shows where entries account for all of it', 30, [outside(100, 100)], 30],
    ['contains what was spent without an entry', 30, [outside(100, 60)], 70],
    ['is not less than the log where more entries exist than the counter moved by', 30, [outside(10, 60)], 30],
    ['continues from a moment in the window', 30, [within(20, 50, 10)], 70],
    ['counts entries where the counter was set back', 30, [within(20, -50, 10)], 30],
    ['is the least that any moment allows', 30, [outside(100, 60), within(20, 15, 0)], 35],
  ])('%s', (_, logged, anchors, most) => {
    expect(mostUsed(logged, anchors)).toBe(most);
  });

  const key = { granted: 100, remain: 60, unlimited: false };
  it.each([
    ['raises to what the log leaves where it accounts for the use', { ...key, least: 10, most: 10 }, 10, true],
    ['raises as far as is proven', { ...key, least: 10, most: 25 }, 25, false],
    [
      'raises nothing beyond what the key holds without proof',
      { ...key, least: 10, most: Number.POSITIVE_INFINITY },
      40,
      false,
    ],
    ['needs no proof for a key that holds what the log leaves', { ...key, least: 40, most: 90 }, 40, true],
    ['needs no proof to lower a key', { ...key, least: 70, most: 90 }, 70, true],
    ['needs no proof for a key that becomes limited', { ...key, unlimited: true, least: 0, most: 90 }, 0, true],
    ['needs no proof for an overdrawn key', { ...key, remain: -5, least: 100, most: 120 }, 100, true],
    ['keeps an overdrawn key whose refill is unproven', { ...key, remain: -5, least: 10, most: 120 }, 105, false],
  ])('%s', (_, bounds, used, isCovered) => {
    expect(safeUse(bounds)).toEqual({ used, isCovered });
  });
});

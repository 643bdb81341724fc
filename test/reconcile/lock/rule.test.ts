import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/reconcile/lock/rule.ts';
import { explore, type Rule, type Store } from './interleavings.ts';

/** The rule that suggests itself: the smallest visible ID wins. */
const smallestWins: Rule = (own, visible) => {
  const [first] = [...visible].sort((a, b) => a.id - b.id);
  if (!visible.some(({ holder }) => holder === own)) return 'lost';
  return first?.holder === own ? 'enter' : 'withdraw';
};

const STORES: readonly Store[] = [{ rows: 'with the ID' }, { rows: 'later' }];

describe('the rule of the claims', () => {
  it.each(STORES.flatMap((store) => [2, 3, 4].map((clients) => ({ clients, ...store }))))(
    'lets one of $clients clients in, in every interleaving, and leaves none waiting, where rows appear $rows',
    ({ clients, ...store }) => {
      const { states, collision, stuck } = explore(clients, decide, store);
      expect({ collision, stuck }).toEqual({ collision: undefined, stuck: 0 });
      expect(states).toBeGreaterThan(10);
    },
  );

  it('lets one of two clients in when answers are lost and claims arrive late', () => {
    expect(explore(2, decide, { rows: 'later', losesAnswers: true }).collision).toBeUndefined();
  });

  it('differs from “the smallest ID wins”, which lets two in where IDs exist before their rows are visible', async () => {
    expect(explore(2, smallestWins, { rows: 'with the ID' }).collision).toBeUndefined();
    const { collision = [] } = explore(2, smallestWins, { rows: 'later' });
    await expect(`${collision.join('\n')}\n`).toMatchFileSnapshot('../../golden/lock/smallest-id-wins.txt');
  });

  it('decides nothing without the own claim, and counts unreadable claims as those of others', () => {
    expect(decide('a', [])).toBe('lost');
    expect(decide('a', [{ id: 1, holder: 'b' }])).toBe('lost');
    expect(
      decide('a', [
        { id: 2, holder: 'a' },
        { id: 1, holder: undefined },
      ]),
    ).toBe('withdraw');
    expect(
      decide('a', [
        { id: 1, holder: 'a' },
        { id: 2, holder: undefined },
      ]),
    ).toBe('wait');
    expect(
      decide('a', [
        { id: 1, holder: 'a' },
        { id: 2, holder: 'a' },
      ]),
    ).toBe('enter');
  });

  it.each<[string, readonly [number, string][], string]>([
    [
      'withdraws for one older claim among younger ones',
      [
        [1, 'b'],
        [5, 'a'],
        [9, 'c'],
      ],
      'withdraw',
    ],
    [
      'waits where the oldest of its own claims is the oldest of all',
      [
        [1, 'a'],
        [3, 'b'],
        [5, 'a'],
      ],
      'wait',
    ],
  ])('%s', (_, visible, decision) => {
    expect(
      decide(
        'a',
        visible.map(([id, holder]) => ({ id, holder })),
      ),
    ).toBe(decision);
  });
});

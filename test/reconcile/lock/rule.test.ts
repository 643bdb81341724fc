import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/reconcile/lock/rule.ts';
import { explore, type Rule, type Store } from './interleavings.ts';

/** The rule that suggests itself: the smallest visible ID wins. */
const smallestWins: Rule = (own, visible) => {
  const [first] = [...visible].sort((a, b) => a.id - b.id);
  if (!visible.some(({ nonce }) => nonce === own.nonce)) return 'lost';
  return first?.nonce === own.nonce ? 'enter' : 'withdraw';
};

const STORES: readonly Store[] = [{ rows: 'with the ID' }, { rows: 'later' }];

const A = { nonce: 'a' };

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

  it.each(STORES)('lets a team in together, and nobody else with it, where rows appear $rows', (store) => {
    const [team, other] = [{ team: 't' }, { team: 'u' }];
    for (const rest of [[], [{ nonce: 'C' }], [{ nonce: 'C', ...other }], [{ nonce: 'C' }, { nonce: 'D', ...team }]]) {
      const attempts = [{ nonce: 'A', ...team }, { nonce: 'B', ...team }, ...rest];
      const { collision, stuck } = explore(attempts.length, decide, store, attempts);
      expect({ collision, stuck }).toEqual({ collision: undefined, stuck: 0 });
    }
    const visible = [
      { id: 1, nonce: 'b', ...team },
      { id: 2, nonce: 'a', ...team },
    ];
    expect(decide({ nonce: 'a', ...team }, visible)).toBe('enter');
    expect(decide({ nonce: 'a', ...other }, visible)).toBe('withdraw');
    expect(decide(A, visible)).toBe('withdraw');
  });

  it('differs from “the smallest ID wins”, which lets two in where IDs exist before their rows are visible', async () => {
    expect(explore(2, smallestWins, { rows: 'with the ID' }).collision).toBeUndefined();
    const { collision = [] } = explore(2, smallestWins, { rows: 'later' });
    await expect(`${collision.join('\n')}\n`).toMatchFileSnapshot('../../golden/lock/smallest-id-wins.txt');
  });

  it('needs a nonce for each attempt: two that share one enter together', async () => {
    const { collision = [] } = explore(2, decide, { rows: 'with the ID' }, [{ nonce: 'A' }, { nonce: 'A' }]);
    await expect(`${collision.join('\n')}\n`).toMatchFileSnapshot('../../golden/lock/one-nonce.txt');
  });

  it('decides nothing without the own claim, and counts unreadable claims as those of others', () => {
    expect(decide(A, [])).toBe('lost');
    expect(decide(A, [{ id: 1, nonce: 'b' }])).toBe('lost');
    expect(
      decide(A, [
        { id: 2, nonce: 'a' },
        { id: 1, nonce: undefined },
      ]),
    ).toBe('withdraw');
    expect(
      decide(A, [
        { id: 1, nonce: 'a' },
        { id: 2, nonce: undefined },
      ]),
    ).toBe('wait');
    expect(
      decide(A, [
        { id: 1, nonce: 'a' },
        { id: 2, nonce: 'a' },
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
        A,
        visible.map(([id, nonce]) => ({ id, nonce })),
      ),
    ).toBe(decision);
  });
});
